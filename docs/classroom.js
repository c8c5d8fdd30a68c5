// The page for a class: loads Python and Relance into the reader's browser when the reader asks for it, and from then on
// passes what is set to relance.pages.explore.classroom and shows its replies.
const VERSION = "314.0.7";
const PYODIDE = `https://cdn.jsdelivr.net/npm/pyodide@${VERSION}/`;
const PACKAGES = `https://cdn.jsdelivr.net/pyodide/v${VERSION}/full/`; // each is checked against the hash in Pyodide's lock file
const HOST = new URL(PYODIDE).host;
const INTEGRITY = "sha384-hYKrcQ7FiKU7f1c92md9N2eh7BoBVX4CPkNDfQyyVclsjZevvDOBUkajGcYk1EF8";
const PARTS = ["parameters", "numbers", "mixes", "result"]; // a change in one can change those after it
const NO_ANSWER = "you are offline, or your network blocks this server";
const WHEEL = new URL("relance.whl", document.currentScript.src);

const box = document.getElementById("classroom");
box.innerHTML = `
  <p><button class="md-button md-button--primary">Load Python and Relance (about 10 MB)</button></p>
  <p role="status"></p>
  <form hidden>
    <label>Game <select name="game" autocomplete="off"></select></label>
    <fieldset><legend>The game</legend><div data-part="parameters"></div></fieldset>
    <fieldset><legend>The numbers of the published strategies</legend><div data-part="numbers"></div></fieldset>
    <details><summary>Play at random, part of the time</summary><div data-part="mixes"></div></details>
  </form>
  <div data-part="result" aria-live="polite"></div>`;
const [button, status, form] = ["button", "[role=status]", "form"].map(name => box.querySelector(name));
const part = name => box.querySelector(`[data-part=${name}]`);
let classroom;

function say(text) {
  const files = performance.getEntriesByType("resource").filter(file => /pyodide|relance\.whl/.test(file.name));
  const bytes = files.reduce((sum, file) => sum + file.encodedBodySize, 0);
  status.textContent = text && `${text} (${(bytes / 1e6).toFixed(1)} MB so far)`;
}

function script(src) {
  const tag = Object.assign(document.createElement("script"), { src, integrity: INTEGRITY, crossOrigin: "anonymous" });
  return new Promise((done, failed) => {
    tag.onload = done;
    tag.onerror = () => failed(new Error(`Python was not loaded from ${HOST}: ${NO_ANSWER}, or the file has changed`));
    document.head.append(tag);
  });
}

async function load() {
  say("1 of 4: Python");
  if (!window.loadPyodide) await script(PYODIDE + "pyodide.js");
  const python = await loadPyodide({ indexURL: PYODIDE, packageBaseUrl: PACKAGES });
  say("2 of 4: NumPy");
  await python.loadPackage(["numpy", "lazy-loader"]);
  if (!python.loadedPackages.numpy) throw new Error(`NumPy was not loaded from ${HOST}: ${NO_ANSWER}`);
  say("3 of 4: Relance");
  const wheel = await fetch(WHEEL).catch(() => ({ status: NO_ANSWER }));
  if (!wheel.ok) throw new Error(`relance.whl was not loaded from ${WHEEL.host}: ${wheel.status}`);
  python.unpackArchive(await wheel.arrayBuffer(), "wheel");
  say("4 of 4: the first game");
  await new Promise(done => setTimeout(done, 50)); // until this is shown
  classroom = python.pyimport("relance.pages.explore.classroom");
  form.game.innerHTML = await classroom.game_options();
  form.game.value = "endgame";
  form.hidden = false;
  await ask(0);
}

function fields(name) {
  return [...part(name).querySelectorAll("input[name]")];
}

async function ask(from) {
  const texts = (name, all) => fields(name).filter(one => all || one.value !== one.dataset.start).map(one => [one.name, one.value]);
  const set = texts("parameters", true).map(([name, text]) => `${name}=${text}`);
  const asked = from === 0 ? { game: form.game.value } : {
    game: `${form.game.value}(${set.join(", ")})`,
    numbers: Object.fromEntries(texts("numbers")),
    mixes: Object.fromEntries(texts("mixes")),
  };
  const open = [...part("result").querySelectorAll("details")].map(one => one.open);
  const parts = JSON.parse(await classroom.reply(JSON.stringify(asked)));
  for (const name of PARTS.slice(from)) if (name in parts) part(name).innerHTML = parts[name];
  part("result").querySelectorAll("details").forEach((one, i) => { one.open = open[i]; });
}

box.addEventListener("input", event => {
  const moved = event.target;
  if (moved.type === "range") {
    const text = moved.parentElement.querySelector("[name]");
    text.value = JSON.parse(moved.dataset.stops)[moved.value];
  }
});
box.addEventListener("change", event => {
  const inside = event.target.closest("[data-part]");
  const where = inside ? PARTS.indexOf(inside.dataset.part) : -1;
  tried(() => ask(where === 0 ? 1 : where === -1 ? 0 : 3));
});
form.addEventListener("submit", event => event.preventDefault()); // Enter in a text box
button.addEventListener("click", async () => {
  button.disabled = true;
  if (await tried(load)) button.parentElement.remove();
  button.disabled = false;
});

async function tried(action) {
  try {
    await action();
    say("");
    return true;
  } catch (error) {
    status.textContent = `This did not work: ${error.message}`;
    return false;
  }
}
