"""What was computed once and is written up in docs/. Not part of the wheel."""
