"""What people see: pictures, pages of results, the explorer, and the command line."""
