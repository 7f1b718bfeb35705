// What the schemas of an OpenAPI document say, in words and as a first request.

/** So many values are made at most: messages that hold others can be large beyond use. */
const MOST_VALUES = 400;

/** The schema of a message or enum by what refers to it. */
export const nameOf = ($ref) => $ref.slice($ref.lastIndexOf("/") + 1);

/** A text of a drawing: descriptions are Markdown, in which it has backslashes before what would be markup. */
export const plain = (text = "") => text.replace(/\\([\\`*_{}[\]<>#+!|&~-])/g, "$1");

/** The drawing's own words, and how services are asked: the last paragraph. */
export function parted(description) {
  const paragraphs = description.split("\n\n");
  const how = paragraphs.pop();
  return { about: paragraphs.join("\n\n"), how };
}

/** A value that the schema takes: every field that has a default, as it starts; lists that must have elements. */
export function sample(schema, schemas, room = { left: MOST_VALUES }) {
  room.left -= 1;
  if (schema.$ref !== undefined) {
    const named = schemas[nameOf(schema.$ref)] ?? {};
    if (named.type !== "object") return schema.default ?? named.anyOf?.[0]?.enum?.[0] ?? 0;
    return sample(named, schemas, room);
  }
  if (schema.minItems > 0) {
    const count = Math.min(schema.minItems, Math.max(room.left, 1));
    return Array.from({ length: count }, () => sample(schema.items, schemas, room));
  }
  if (schema.properties !== undefined) {
    const must = new Set(schema.required);
    return Object.fromEntries(
      Object.entries(schema.properties)
        .filter(([name, field]) => must.has(name) || (field.default !== undefined && room.left > 0))
        .map(([name, field]) => [name, sample(field, schemas, room)]),
    );
  }
  if (schema.default !== undefined) return schema.default;
  const start = { boolean: false, integer: 0, string: schema.format === undefined ? "" : "0", object: {} };
  return start[schema.type] ?? 0;
}

/** What a field is, in pieces: words, and names of schemas. */
export function typeWords(schema) {
  if (schema.$ref !== undefined) return [{ name: nameOf(schema.$ref) }];
  if (schema.items !== undefined) {
    const many = schema.minItems > 0 ? `${schema.minItems} of ` : "list of ";
    return [many, ...typeWords(schema.items)];
  }
  if (schema.additionalProperties !== undefined) return ["map to ", ...typeWords(schema.additionalProperties)];
  if (schema.contentEncoding !== undefined) return [`bytes in ${schema.contentEncoding}`];
  if (schema.anyOf !== undefined) return typeWords(schema.anyOf[0]);
  if (schema.type === "string" && schema.format !== undefined) return [`${schema.format} as a string`];
  return [schema.format ?? schema.type ?? "anything"];
}

/** Names of the schemas that a message and what it holds are made of, itself first. */
export function reached(name, schemas) {
  const found = new Set();
  const work = [name];
  for (let next = work.shift(); next !== undefined; next = work.shift()) {
    if (found.has(next) || schemas[next] === undefined) continue;
    found.add(next);
    for (const field of Object.values(schemas[next].properties ?? {})) {
      for (const word of typeWords(field)) if (word.name !== undefined) work.push(word.name);
    }
  }
  return [...found];
}

/** The lists of which a message has one field at most. */
export const choices = (schema) =>
  (schema.allOf ?? []).map(({ oneOf }) => oneOf.flatMap(({ required }) => required ?? []));

/** One word of a POSIX shell. */
export const shellWord = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
