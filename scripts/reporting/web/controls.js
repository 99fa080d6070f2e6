// SPDX-License-Identifier: Apache-2.0
// What a reader can change: choosers of runs, sliders, axes and points of explorations.
"use strict";

(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const choosers = document.getElementById("choosers");
  const field = (name) => choosers.querySelector(`[data-choose="${name}"]`);

  // ---- Choosers of runs -------------------------------------------------------------------------

  // Puts options into a list, and keeps what was chosen where that is still there.
  function offer(name, options, texts = {}) {
    const list = field(name), before = list.value;
    list.replaceChildren(...options.map((one) => new Option(texts[one] ?? one, one)));
    list.value = options.includes(before) ? before : options[0];
  }

  function offerOf(result) {
    const there = page.values.choices.find((one) => one.result === result);
    offer("snapshot", there.snapshots, {"": "all"});
    offer("layer", ["", ...there.layers], {"": "all"});
    offer("op", ["", ...there.ops], {"": "all"});
  }

  // What says what it is about is shown if all of that is chosen. Sums, over nothing or "all", are
  // exact in what they name: they are shown for that choice alone.
  function isChosen(one, state) {
    const is = one.dataset, exact = (is.exact ?? "").split(" ");
    if (is.results && !JSON.parse(is.results).includes(state.result)) return false;
    return ["result", "snapshot", "layer", "op"].every((name) => (
      is[name] === undefined || is[name] === state[name]
      || (!exact.includes(name) && (!state[name] || !is[name]))));
  }

  function apply() {
    const state = {};
    for (const list of all("select", choosers)) state[list.dataset.choose] = list.value;
    const about = all("[data-result], [data-results], [data-snapshot]");
    for (const one of about) one.hidden = !isChosen(one, state);
    page.choose(state);
  }

  // Charts that were hidden are drawn now: what is hidden has no width.
  function change() {
    apply();
    for (const figure of figures) if (!page.views.has(figure)) page.draw(figure);
  }

  function startChoosers() {
    offerOf(field("result").value);  // which a browser may have kept from before
    field("result").addEventListener("change", () => {
      offerOf(field("result").value);
      change();
    });
    for (const name of ["snapshot", "layer", "op"]) field(name).addEventListener("change", change);
    choosers.addEventListener("submit", (event) => event.preventDefault());
    apply();
  }

  // ---- Sliders over computed results ------------------------------------------------------------

  const steps = {};  // slider -> position

  function slide(part) {
    const slider = part.querySelector("input"), rows = all("tbody tr", part);
    const show = () => {
      const row = rows[Number(slider.value)];
      rows.forEach((one) => one.classList.toggle("current", one === row));
      part.querySelector("output").textContent = all("td", row).map((cell, at) => {
        const [head, unit] = all("thead th", part)[at].childNodes;
        return at === 0 ? cell.textContent
          : `${head.textContent} ${cell.textContent} ${unit.textContent}`;
      }).join(" · ");
      steps[part.dataset.whatif] = Number(slider.value);
      page.choose({steps: {...steps}});
    };
    slider.addEventListener("input", show);
    show();
  }

  // ---- Explorations -----------------------------------------------------------------------------

  // An element of a kind with a text.
  function made(kind, text = "") {
    const element = document.createElement(kind);
    element.textContent = text;
    return element;
  }

  // What a point gains: a row for each network. As in the tables of the page.
  function gainsTable(found, gains) {
    const table = made("table"), head = table.createTHead().insertRow();
    table.append(made("caption", "Speed-up over dense tiles on each network"));
    head.append(...["network", "use", ...found.gains].map((one) => made("th", one)));
    const body = table.createTBody();
    found.networks.forEach((names, at) => {
      const row = body.insertRow();
      row.append(...names.map((one) => made("td", one)));
      for (const value of gains[at]) {
        const figure = made(value === null ? "span" : "data", value === null ? "–" : value.toFixed(3));
        if (value !== null) figure.value = value;
        row.insertCell().append(figure);
      }
    });
    return table;
  }

  function open(part, found, point) {
    const [name, text, , gains] = point, panel = part.querySelector(".opened");
    const body = made("pre", text), scroll = made("div");
    body.tabIndex = 0;
    scroll.className = "scroll";
    scroll.append(gainsTable(found, gains));
    panel.replaceChildren(made("h4", name), body, scroll);
    panel.hidden = false;
    panel.dataset.point = name;
  }

  function explore(part) {
    const found = page.values.pareto[Number(part.dataset.explore)];
    const figure = part.querySelector("figure");
    const axis = (name) => part.querySelector(`[data-choose="${name}"]`);
    const title = (name) => axis(name).selectedOptions[0].textContent;
    const place = (name) => found.objectives.indexOf(name) + 4;  // behind name … gains
    const draw = () => {
      const x = place(axis("x").value), y = place(axis("y").value);
      const points = found.points.map((point, at) => (
        {at, name: point[0], front: point[2], x: point[x], y: point[y]}));
      const view = page.draw(figure, {points}, {across: title("x"), up: title("y")});
      view.addEventListener("click", (event, item) => {
        if (item && item.datum && "at" in item.datum) open(part, found, found.points[item.datum.at]);
      });
    };
    for (const name of ["x", "y"]) axis(name).addEventListener("change", draw);
    for (const row of all("tr[data-point]", part)) {
      const point = found.points[Number(row.dataset.point)];
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = point[0];
      button.addEventListener("click", () => open(part, found, point));
      row.cells[0].replaceChildren(button);
    }
    return draw;
  }

  // ---- Lanes ------------------------------------------------------------------------------------

  // Cells of a pass: [step][tile row], each a text with a letter for every lane, "." if it is idle.
  function cells(steps) {
    const found = [];
    steps.forEach((rows, step) => rows.forEach((text, row) => {
      for (let lane = 0; lane < text.length; ++lane) {
        found.push({step, row, lane, ahead: text[lane] === "." ? -1 : Number(text[lane])});
      }
    }));
    return found;
  }

  function lanes(part) {
    const passes = page.values.lanes[Number(part.dataset.lanes)];
    const list = part.querySelector("select"), rows = all("tr[data-pass]", part);
    const draw = () => {
      page.draw(part.querySelector("figure"), {cells: cells(passes[Number(list.value)])});
      rows.forEach((row) => row.classList.toggle("current", row.dataset.pass === list.value));
    };
    list.addEventListener("change", draw);
    return draw;
  }

  // ---- All of it --------------------------------------------------------------------------------

  const own = [...all(".explore").map(explore), ...all(".lanes").map(lanes),
               ...all(".batch").map(batchPart)];  // draw themselves
  const figures = all("figure[data-chart]").filter((one) => !one.closest(".explore, .lanes, .batch"));

  function drawAll() {
    for (const figure of figures) page.draw(figure);
    for (const draw of own) draw();
  }

  // Paper has the colours of the day, and everything that is folded on the screen.
  let folded = [];
  window.addEventListener("beforeprint", () => {
    folded = all("details:not([open])");
    for (const one of folded) one.open = true;
    document.documentElement.classList.add("printing");
    drawAll();
  });
  window.addEventListener("afterprint", () => {
    for (const one of folded) one.open = false;
    document.documentElement.classList.remove("printing");
    drawAll();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  let width = document.documentElement.clientWidth, waiting;
  window.addEventListener("resize", () => {
    if (width === document.documentElement.clientWidth) return;
    width = document.documentElement.clientWidth;
    clearTimeout(waiting);
    waiting = setTimeout(drawAll, 150);
  });
  if (choosers) startChoosers();
  all("[data-whatif]").forEach(slide);
  drawAll();
  document.documentElement.dataset.ready = "true";
})();
