// The buttons of places lead to their steps.
for (const button of document.querySelectorAll("[data-visit]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    player.visit(...button.dataset.visit.split(" ").map(Number));
    const to = document.querySelector(".player");
    to.scrollIntoView();
    to.focus({preventScroll: true});
  });
}
