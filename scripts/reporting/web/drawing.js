// SPDX-License-Identifier: Apache-2.0
// Draws the charts: gives each specification its tables, the colours of the page, and what is chosen.
"use strict";

const page = (() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const values = read("values");
  const charts = read("charts");
  const views = new Map();  // figure -> view
  const chosen = {};        // signal -> value, of all charts

  const vega = typeof vegaParts === "undefined" ? {} : vegaParts;  // a page without charts has none
  if ("vega-dataflow" in vega) {
    Object.assign(vega["vega-dataflow"].transforms, vega["vega-transforms"],
                  vega["vega-view-transforms"], vega["vega-encode"]);
  }

  const style = (name) =>
    getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  // What every chart looks like; colours are those of page.css.
  function look() {
    const ink = style("--ink"), faint = style("--faint"), line = style("--line");
    const font = style("--font");
    return {
      background: null,
      padding: {left: 0, right: 2, top: 2, bottom: 8},  // letters are taller than Vega thinks
      axis: {labelColor: ink, titleColor: faint, domainColor: line, tickColor: line,
             gridColor: line, gridOpacity: 0.6, labelFont: font, titleFont: font,
             labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", titlePadding: 8,
             labelPadding: 5, labelOverlap: true},
      legend: {labelColor: ink, titleColor: faint, labelFont: font, titleFont: font,
               labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal",
               symbolType: "square"},
      title: {color: ink, font: font, fontSize: 13, fontWeight: 600, anchor: "start"},
      text: {font: font, fill: ink, fontSize: 12},
      range: {category: style("--series").split(" ")},
    };
  }

  // Tables by name; of a figure that belongs to one source, that one's.
  function rows(name, figure) {
    const table = values[name] || [];
    const source = figure.dataset.source;
    return source ? table.filter((row) => row.source === source) : table;
  }

  function specification(figure, tables, signals) {
    const spec = structuredClone(charts[figure.dataset.chart]);
    for (const one of spec.data) {
      if (!one.source) one.values = tables[one.name] || rows(one.name, figure);
    }
    const given = {...chosen, ...signals, ink: style("--ink"), faint: style("--faint"), line: style("--line"),
                   paper: style("--paper"), series: style("--series").split(" "),
                   container: figure.clientWidth};
    for (const signal of spec.signals) {
      if (signal.name in given && !("update" in signal)) signal.value = given[signal.name];
    }
    return spec;
  }

  function remove(figure) {
    views.get(figure)?.finalize();
    views.delete(figure);
  }

  // Returns the view; none of a figure that is hidden. tables: instead of the page's, by name;
  // signals: values beside the chosen ones.
  function draw(figure, tables = {}, signals = {}) {
    remove(figure);
    if (!figure.offsetParent) return null;
    const spec = specification(figure, tables, signals);
    const view = new vega["vega-view"].View(vega["vega-parser"].parse(spec, look()), {
      container: figure.querySelector(".canvas"), hover: true,
      renderer: spec.usermeta ? spec.usermeta.renderer : "svg",
      logLevel: vega["vega-util"].Warn});
    view.run();
    views.set(figure, view);
    return view;
  }

  // Sets signals of all charts that know them. Those that are hidden now may have nothing to show.
  function choose(changes) {
    Object.assign(chosen, changes);
    for (const [figure, view] of views) {
      if (!figure.offsetParent) {
        remove(figure);
        continue;
      }
      const known = view.getState({data: () => false, signals: () => true}).signals;
      for (const [name, value] of Object.entries(changes)) {
        if (name in known) view.signal(name, value);
      }
      view.run();
    }
  }

  return {values, views, draw, choose};
})();
