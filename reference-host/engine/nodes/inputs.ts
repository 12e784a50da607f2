import type { JsonObject } from '../../json.ts';
import { member, stringMember } from '../../json.ts';
import type { NodeView } from '../../store/fold.ts';
import type { WorkflowNode } from '../../types/workflow.ts';

/**
 * A node's inputs as values: `{type: "variable", variableName}` is the run's variable, `{type: "static", value}` the value,
 * anything else itself. An input whose variable is not set is left out.
 */
export function inputsOf({ inputs }: WorkflowNode, { variables }: NodeView): JsonObject {
  const values = Object.entries(inputs).flatMap(([name, input]): [string, unknown][] => {
    switch (member(input, 'type')) {
      case 'variable': {
        const variable = stringMember(input, 'variableName') ?? name;
        return variables.has(variable) ? [[name, variables.get(variable)]] : [];
      }
      case 'static':
        return [[name, member(input, 'value') ?? null]];
      default:
        return [[name, input]];
    }
  });
  return Object.fromEntries(values);
}

/** The first of these members that is a number of at least 0, of a node's inputs or its configuration. */
export function numberOf(node: WorkflowNode, view: NodeView, names: readonly string[]): number | undefined {
  const inputs = inputsOf(node, view);
  const found = names.flatMap((name) => [member(inputs, name), member(node.config, name)]);
  return found.find((value): value is number => typeof value === 'number' && value >= 0);
}
