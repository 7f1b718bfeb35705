import { readFileSync } from "node:fs";
import Handlebars from "handlebars";
import { templatesDir } from "../installation/index.js";
import { shellWord } from "../model/text/index.js";
import { cmakeString, markdownCell, markdownText, yamlString } from "./escape/besideCpp.js";
import { cppComment, cppString, protobufComment } from "./escape/cpp.js";
import { jsonString } from "./escape/json.js";

/**
 * Templates come from the repository's `templates/` folder only, never from a drawing. Texts of the
 * user reach a file through the one helper of its language; everything else in a context is a name
 * that has passed the name rules. Handlebars' own escaping is for HTML and is off; prototypes of
 * context objects are out of reach; a field that a template names and the context lacks is an error.
 */

const engine = Handlebars.create();
const HELPERS = {
  cppString: (text: string) => cppString(text),
  cppComment: (text: string, indent: number) => cppComment(text, indent),
  protobufComment: (text: string, indent: number) => protobufComment(text, indent),
  cmake: (text: string) => cmakeString(text),
  json: (text: string) => jsonString(text),
  yaml: (text: string) => yamlString(text),
  shell: (text: string) => shellWord(text),
  markdown: (text: string) => markdownText(text),
  markdownCell: (text: string) => markdownCell(text),
};
engine.registerHelper(HELPERS);

const compiled = new Map<string, HandlebarsTemplateDelegate>();

/** Renders `templates/<name>.hbs`; compiled once a process. */
export function renderTemplate(name: string, context: object): string {
  let template = compiled.get(name);
  if (template === undefined) {
    template = engine.compile(readFileSync(`${templatesDir}/${name}.hbs`, "utf8"), {
      noEscape: true,
      strict: true,
      knownHelpers: Object.fromEntries(Object.keys(HELPERS).map((helper) => [helper, true])),
      knownHelpersOnly: true,
    });
    compiled.set(name, template);
  }
  return template(context, { allowProtoPropertiesByDefault: false, allowProtoMethodsByDefault: false });
}
