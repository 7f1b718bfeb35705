// The page of a binary's exposed services: it reads openapi.json, and asks them. What was drawn, and what is answered,
// becomes text on it and nothing else.
import { choices, nameOf, parted, plain, reached, sample, shellWord, typeWords } from "./schema.js";

const at = (id) => document.getElementById(id);
const JSON_TYPE = "application/json";

function element(tag, text, className = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  made.className = className;
  return made;
}

/** The services in their order, with what was typed and answered. */
function servicesOf(api) {
  const { parameters, schemas } = api.components;
  const timeout = String(parameters["Twirp-Timeout"].schema.default);
  return Object.entries(api.paths).map(([path, { post }]) => {
    const request = post.requestBody.content[JSON_TYPE].schema;
    const { $ref } = post.responses["200"].content[JSON_TYPE].schema;
    return {
      path,
      name: post.summary,
      bundle: post.tags[0],
      doc: plain(post.description),
      request: nameOf(request.$ref),
      response: $ref === undefined ? "" : nameOf($ref),
      fresh: JSON.stringify(sample(request, schemas), null, 2),
      body: undefined,
      timeout,
      sent: false,
      end: { words: "Nothing was sent yet.", tone: "", text: "" },
    };
  });
}

const needsToken = (api) =>
  Object.values(api.components.securitySchemes ?? {}).some(({ type, scheme }) => type === "http" && scheme === "bearer");

/** Large numbers are texts in this JSON, so nothing is lost by reading it. */
function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

async function ask({ path, timeout }, body, token) {
  const began = performance.now();
  const took = () => `${(performance.now() - began).toFixed(1)} ms`;
  const headers = { "Content-Type": JSON_TYPE, "Twirp-Timeout": timeout };
  if (token !== "") headers.Authorization = `Bearer ${token}`;
  try {
    const answer = await fetch(path, { method: "POST", headers, body, credentials: "omit", cache: "no-store" });
    const text = await answer.text();
    const words = [`${answer.status} ${answer.statusText}`.trim(), took(), `${new Blob([text]).size} B`];
    return { words: words.join(" · "), tone: answer.ok ? "ok" : "bad", text: indented(text) };
  } catch {
    const words = `No answer after ${took()}: the binary has stopped, or closed the connection.`;
    return { words, tone: "bad", text: "" };
  }
}

function command({ path, timeout }, body) {
  const lines = [
    `curl -H ${shellWord(`Content-Type: ${JSON_TYPE}`)}`,
    ...(timeout === "" ? [] : [`-H ${shellWord(`Twirp-Timeout: ${timeout}`)}`]),
    ...(at("token").value === "" ? [] : [`-H "Authorization: Bearer $TOKEN"`]),
    `--data-raw ${shellWord(body)}`,
    shellWord(location.origin + path),
  ];
  return lines.join(" \\\n  ");
}

/** The fields of a message, or the values of an enum. */
function schemaSection(title, name, schemas) {
  const schema = schemas[name];
  const section = document.createElement("section");
  const heading = element("h3", title === "" ? name : `${title}: ${name}`);
  heading.id = `schema-${name}`;
  heading.tabIndex = -1;
  section.append(heading, element("p", plain(schema.description), "doc"));
  const values = schema.anyOf?.[0]?.enum;
  if (values !== undefined) section.append(element("p", values.join(", "), "mono"));
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length > 0) {
    const list = element("div", "", "fields");
    for (const [field, its] of fields) list.append(...fieldCells(field, its, schema));
    section.append(list);
  } else if (values === undefined) section.append(element("p", "No fields.", "hint"));
  for (const names of choices(schema)) section.append(element("p", `At most one of: ${names.join(", ")}`, "hint"));
  return section;
}

function fieldCells(name, field, { required = [] }) {
  const type = document.createElement("span");
  for (const word of typeWords(field)) {
    if (word.name === undefined) {
      type.append(word);
      continue;
    }
    const link = element("button", word.name, "type");
    link.type = "button";
    link.addEventListener("click", () => at(`schema-${word.name}`)?.focus());
    type.append(link);
  }
  if (field.default === undefined && !required.includes(name)) type.append(", optional");
  return [element("code", name), type, element("span", plain(field.description))];
}

function showSchemas({ request, response }, schemas) {
  const shown = new Set();
  const sections = [];
  const show = (title, names) => {
    names.forEach((name, index) => {
      if (shown.has(name)) return;
      shown.add(name);
      sections.push(schemaSection(index === 0 ? title : "", name, schemas));
    });
  };
  show("Request", [request]);
  if (response !== "") show("Answer", [response]);
  show("", reached(request, schemas));
  if (response !== "") show("", reached(response, schemas));
  at("schemas").replaceChildren(...sections);
}

function start(api) {
  const { schemas } = api.components;
  const services = servicesOf(api);
  let shown = services[0];

  const bodyOf = (service) => service.body ?? service.fresh;
  const showEnd = () => {
    at("status").textContent = shown.sent ? "Waiting for the answer…" : shown.end.words;
    at("status").className = shown.sent ? "" : shown.end.tone;
    at("answer").textContent = shown.end.text;
    at("answer").hidden = shown.sent || shown.end.text === "";
    at("send").disabled = shown.sent;
  };
  const showCommand = () => {
    at("command").textContent = command(shown, bodyOf(shown));
    at("copied").textContent = "";
  };
  const show = (service) => {
    shown = service;
    for (const link of at("services").querySelectorAll("a")) {
      if (link.hash === `#${service.path}`) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    at("name").textContent = service.name;
    at("path").textContent = service.path;
    at("doc").textContent = service.doc;
    at("doc").hidden = service.doc === "";
    at("body").value = bodyOf(service);
    at("body").rows = Math.min(22, bodyOf(service).split("\n").length + 1);
    at("timeout").value = service.timeout;
    document.title = `${service.name} · ${api.info.title}`;
    showCommand();
    showEnd();
    showSchemas(service, schemas);
  };
  const showAddressed = () =>
    show(services.find(({ path }) => `#${path}` === location.hash) ?? services[0]);

  const send = async () => {
    const asked = shown;
    if (asked.sent || !at("timeout").reportValidity()) return;
    asked.sent = true;
    showEnd();
    asked.end = await ask(asked, bodyOf(asked), at("token").value);
    asked.sent = false;
    if (shown === asked) showEnd();
  };

  at("title").textContent = api.info.title;
  at("address").textContent = location.host;
  const { about, how } = parted(plain(api.info.description));
  at("about").textContent = about;
  at("how").textContent = how;
  for (const { name, description } of api.tags) {
    const links = services
      .filter(({ bundle }) => bundle === name)
      .map((service) => {
        const link = element("a", service.name);
        link.href = `#${service.path}`;
        return link;
      });
    const heading = element("h2", name);
    heading.title = plain(description);
    at("services").append(heading, ...links);
  }
  at("token-field").hidden = !needsToken(api);
  at("state").hidden = true;
  at("service").hidden = false;

  at("body").addEventListener("input", () => {
    shown.body = at("body").value;
    showCommand();
  });
  at("timeout").addEventListener("input", () => {
    shown.timeout = at("timeout").value;
    showCommand();
  });
  at("token").addEventListener("input", showCommand);
  at("fresh").addEventListener("click", () => {
    shown.body = undefined;
    show(shown);
    at("body").focus();
  });
  at("form").addEventListener("submit", (event) => {
    event.preventDefault();
    void send();
  });
  at("form").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void send();
  });
  at("copy").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(at("command").textContent);
      at("copied").textContent = "Copied";
    } catch {
      at("copied").textContent = "The browser lets nothing be copied";
    }
  });
  addEventListener("hashchange", () => {
    showAddressed();
    at("main").focus();
  });
  showAddressed();
}

try {
  const answer = await fetch("openapi.json", { credentials: "omit", cache: "no-store" });
  if (!answer.ok) throw new Error(`the binary answers ${answer.status}`);
  start(await answer.json());
} catch (error) {
  at("state").textContent = `openapi.json could not be read: ${error.message}. Reload this page once the binary runs.`;
}
