"""Tools beside the package; not in the wheel."""
