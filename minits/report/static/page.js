"use strict";
// The data of the page, and what all scripts use. The page is whole without them; they add the slider
// over the passes, the links between source, graph and generated code, and the player of runs.
// They are one script, in the order of SCRIPTS in minits/report/page.py, where all names are shared.
// The data is described in minits/report/model.py.

const data = JSON.parse(document.getElementById("data").textContent);
const [NODE, VERSION, TEXT, VALUES, LINKS, OWN] = [0, 1, 2, 3, 4, 5]; // of a row
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const escaped = (text) => text.replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);
const numbers = (text) => (text ? text.split(" ").map(Number) : []);

// Makes an element. Texts among its children are texts, whatever is in them.
const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

const isInside = (inner, outer) => {
  const [a, b] = [data.ranges[inner], data.ranges[outer]];
  const begins = a[1] > b[1] || (a[1] === b[1] && a[2] >= b[2]);
  const ends = a[3] < b[3] || (a[3] === b[3] && a[4] <= b[4]);
  return a[0] === b[0] && begins && ends;
};
