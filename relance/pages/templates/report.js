"use strict";
(() => {
  const root = document.documentElement;
  const claims = [...document.querySelectorAll(".claim")];
  const texts = claims.map((claim) => claim.textContent.toLowerCase());
  const papers = [...document.querySelectorAll("main > section")];
  const search = document.getElementById("search");
  const count = document.getElementById("count");
  const buttons = [...document.querySelectorAll("[data-verdict-filter]")];
  const theme = document.getElementById("theme");

  // Words are looked for one by one; no pressed button means all verdicts.
  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = buttons.filter((b) => b.getAttribute("aria-pressed") === "true").map((b) => b.dataset.verdictFilter);
    let shown = 0;
    claims.forEach((claim, i) => {
      const fits = (!wanted.length || wanted.some((name) => claim.dataset.tags.split(" ").includes(name))) &&
        words.every((word) => texts[i].includes(word));
      claim.hidden = !fits;
      shown += fits;
    });
    const searching = words.length > 0 || wanted.length > 0;
    for (const paper of papers) {
      paper.hidden = !paper.querySelector(".claim:not([hidden])");
      if (searching) paper.firstElementChild.open = true;
    }
    root.classList.toggle("searching", searching);
    count.textContent = `${shown} of ${claims.length} claims shown`;
  }

  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme || (dark.matches ? "dark" : "light")) === "dark";
  const named = () => { theme.textContent = isDark() ? "Light" : "Dark"; };
  theme.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    named();
  });
  dark.addEventListener("change", named);

  search.addEventListener("input", filter);
  document.getElementById("filter").addEventListener("submit", (event) => event.preventDefault());
  for (const button of buttons) {
    button.addEventListener("click", () => {
      button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
      filter();
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && event.target !== search && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      search.focus();
      search.select();
    } else if (event.key === "Escape" && event.target === search) {
      search.value = "";
      filter();
    }
  });

  // A link to a paper or a claim opens it, and shows a claim that the filter hides.
  function open() {
    const id = decodeURIComponent(location.hash.slice(1));
    const claim = claims.find((item) => item.id === id);
    const paper = claim ? claim.closest("section") : papers.find((item) => item.id === id);
    if (paper) paper.firstElementChild.open = true;
    if (!claim) return;
    if (claim.hidden) {
      search.value = "";
      buttons.forEach((button) => button.setAttribute("aria-pressed", "false"));
      filter();
    }
    claim.open = true;
    claim.scrollIntoView();
  }
  window.addEventListener("hashchange", open);

  for (const item of document.querySelectorAll(".scripted")) item.hidden = false;
  named();
  filter();
  open();
  root.dataset.ready = String(Math.round(performance.now()));
})();
