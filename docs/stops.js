// Sliders whose pictures are all on the page, one of them shown.
document.addEventListener("input", event => {
  const box = event.target.closest(".stops");
  if (!box) return;
  box.querySelectorAll(".stop").forEach((stop, i) => {
    stop.hidden = i !== Number(event.target.value);
    if (!stop.hidden) box.querySelector("output").value = stop.dataset.stop;
  });
});
