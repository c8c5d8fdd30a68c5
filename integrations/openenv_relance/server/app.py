"""The server that `openenv.yaml` names."""

from relance.registration.openenv import app as make

app = make()
