import { useDocument } from "../../kernel/document/index.js";
import { Button } from "../../kernel/ui/index.js";
import { RuleForm } from "./RuleForm.js";
import { addRule, unwatched } from "./ruleActions.js";

/** Rules by which a binary changes between two of its presets by itself, as a rate falls and rises. */
export function RulesList({ binary: name }: { binary: string }) {
  const topology = useDocument((state) => state.topology);
  const binary = topology.binaries.find((one) => one.name === name);
  if (binary === undefined) return null;
  const { presets = [], rules = [] } = binary;
  if (presets.length < 2 && rules.length === 0) return null;
  const [free] = unwatched(topology, binary);
  return (
    <>
      {rules.map((rule, at) => (
        <RuleForm key={at} binary={binary} at={at} rule={rule} topology={topology} />
      ))}
      {free !== undefined && presets.length >= 2 ? (
        <div className="rule-add">
          <Button size="sm" onClick={() => addRule(binary, free)}>
            Change between presets by itself
          </Button>
        </div>
      ) : null}
    </>
  );
}
