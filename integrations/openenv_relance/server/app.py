"""The server that `openenv.yaml` names."""

from relance.words import openenv_app

app = openenv_app()


def main() -> None:
    """Serve on port 8000."""
    import uvicorn

    uvicorn.run(app, host="0.0.0.0", port=8000)


if __name__ == "__main__":
    main()
