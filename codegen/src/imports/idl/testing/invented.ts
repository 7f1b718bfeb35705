import type { Random } from "../../../model/topology/testing/random.js";
import { BASIC_TYPES, DIRECTIONS } from "../syntax.js";

/** What an invented file says, to be compared with what is read. */
export interface Invented {
  text: string;
  /** `struct M::A{int x[3]}`, `interface M::B{void f(in int a)}`, in the order of the file. */
  said: string[];
}

const GAPS = [" ", "\n", "\t", "\r\n", " // a comment; }\n", " /* struct { */ ", "\n\n"];

/** A good file with modules, structs and interfaces, spaces and comments anywhere. */
export function inventedFile(random: Random): Invented {
  const said: string[] = [];
  const structs: string[] = [];
  let count = 0;
  const gap = (): string => random.pick(GAPS);
  const loose = (): string => (random.chance(0.3) ? gap() : "");
  const fresh = (word: string): string => `${word}${random.pick(["", "_", "x_y"])}${++count}`;
  const type = (): string => random.pick([...BASIC_TYPES, ...structs]);
  const member = (name: string): [string, string] => {
    const of = type();
    if (random.chance(0.6)) return [`${of}${gap()}${name}`, `${of} ${name}`];
    const length = 1 + random.below(100_000);
    return [`${of}${gap()}${name}${loose()}[${loose()}${length}${loose()}]`, `${of} ${name}[${length}]`];
  };

  function struct(path: readonly string[]): string {
    const name = fresh("struct");
    const members = random.list(4, () => member(fresh("m")));
    const whole = [...path, name].join("::");
    said.push(`struct ${whole}{${members.map(([, saying]) => saying).join("; ")}}`);
    structs.push(whole);
    const body = members.map(([text]) => `${loose()}${text}${loose()};`).join("");
    return `struct${gap()}${name}${loose()}{${body}${loose()}}${loose()};`;
  }

  function interfaceText(path: readonly string[]): string {
    const name = fresh("interface");
    const operations = random.list(4, (): [string, string] => {
      const returns = random.chance(0.3) ? "void" : type();
      const parameters = random.list(3, (): [string, string] => {
        const direction = random.pick(DIRECTIONS);
        const [text, saying] = member(fresh("p"));
        return [`${loose()}${direction}${gap()}${text}${loose()}`, `${direction} ${saying}`];
      });
      const operation = fresh("op");
      return [
        `${loose()}${returns}${gap()}${operation}${loose()}(${parameters.map(([text]) => text).join(",")})${loose()};`,
        `${returns} ${operation}(${parameters.map(([, saying]) => saying).join(", ")})`,
      ];
    });
    said.push(
      `interface ${[...path, name].join("::")}{${operations.map(([, saying]) => saying).join("; ")}}`,
    );
    return `interface${gap()}${name}${loose()}{${operations.map(([text]) => text).join("")}${loose()}}${loose()};`;
  }

  function body(path: readonly string[]): string {
    return random
      .list(4, () => {
        if (path.length < 4 && random.chance(0.3)) {
          const name = fresh("module");
          return `module${gap()}${name}${loose()}{${body([...path, name])}}${random.pick(["", ";", " ;"])}`;
        }
        return random.chance(0.5) ? struct(path) : interfaceText(path);
      })
      .map((definition) => loose() + definition)
      .join(loose());
  }

  const text = `${loose()}${body([])}${loose()}`;
  return { text, said };
}

const SPLINTERS = [
  "{", "}", "(", ")", "[", "]", ";", ",", "::", ":", "<", ">", "/*", "*/", "//", "#", '"', "\\", "\n", "\0", "😀", "\ud800",
  "module ", "struct ", "interface ", "in ", "out ", "inout ", "void ", "int ", "long ", "unsigned ", "enum ", "typedef ",
  "const ", "readonly ", "raises", "oneway ", "sequence<", "string ", "99999999999", "0x1", "_",
]; // prettier-ignore

/** Cuts, doubles, swaps or plants pieces of a text. */
export function spoiled(random: Random, text: string): string {
  let made = text;
  for (let change = 0; change <= random.below(5); change++) {
    const at = random.below(made.length + 1);
    const end = Math.min(made.length, at + random.below(20));
    const piece = random.pick([
      "",
      random.pick(SPLINTERS),
      random.pick(SPLINTERS) + random.pick(SPLINTERS),
      made.slice(at, end).repeat(2),
    ]);
    made = made.slice(0, at) + piece + made.slice(random.chance(0.5) ? at : end);
  }
  return made;
}
