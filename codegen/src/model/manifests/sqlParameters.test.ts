import { describe, expect, it } from "vitest";
import { sqlFault, sqlStatement } from "./sqlParameters.js";

describe("the parameters of a statement", () => {
  it("become question marks, each as often as it is named", () => {
    expect(sqlStatement("INSERT INTO t VALUES (:id, :user_name, :id)")).toEqual({
      sql: "INSERT INTO t VALUES (?, ?, ?)",
      parameters: ["id", "user_name", "id"],
    });
  });

  it("are not looked for in texts, quoted names and comments", () => {
    const text = "SELECT ':a', 'it''s :b', \":c\", `:d` -- :e\n /* :f */ FROM t WHERE x::int = :g AND y := 1";
    expect(sqlStatement(text)).toEqual({ sql: text.replace(":g", "?"), parameters: ["g"] });
  });
});

describe("a statement that cannot be taken", () => {
  it.each([
    ["", "is empty"],
    [" -- nothing", "is empty"],
    ["SELECT 1; DROP TABLE t", "holds more than one statement"],
    ["SELECT 'x", "has a quote without its partner"],
    ["SELECT ?", "has a ?: name the field instead, as in :id"],
  ])("%j", (text, fault) => expect(sqlFault(text)).toBe(fault));

  it.each(["SELECT 1;", "SELECT ';' ;\n", "SELECT :x"])("%j is taken", (text) =>
    expect(sqlFault(text)).toBeUndefined(),
  );
});
