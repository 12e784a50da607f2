import { type JsonObject, member, stringMember } from '../../json.ts';
import type { EventDraft } from '../../store/event.ts';
import type { NodeView } from '../../store/fold.ts';
import type { Observation } from '../../store/observations.ts';
import type { WorkflowNode } from '../../types/workflow.ts';
import type { World } from '../../types/world.ts';
import { failed, type NodeKind, type NodeOutcome } from './node.ts';

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

/** The event that writes a node's output into `config.outputVariable`; none where the node names no variable. */
export function outputEvents(node: WorkflowNode, value: unknown): readonly EventDraft[] {
  const name = stringMember(node.config, 'outputVariable');
  return name === undefined ? [] : [{ type: 'variable.changed', nodeId: node.id, payload: { name, value } }];
}

/** The outcome of a node whose definition lacks what its kind needs. */
export function invalidConfig(message: string): NodeOutcome {
  return failed('invalid_node_config', message);
}

/** What an observing kind asks for, and how it is carried out. */
interface Observing {
  /** The content that identifies the act; what is not in it may change without another observation. */
  readonly request: JsonObject;
  readonly perform: () => Observation | Promise<Observation>;
}

/** A node kind that learns one thing from outside through the world, and shows all of it again on a replay. */
export function observingNode(observing: (node: WorkflowNode, now: World['now']) => Observing): NodeKind {
  return async function* run(node, world) {
    const { value, events } = await world.observe({ nodeId: node.id, ...observing(node, world.now) });
    yield* events;
    return { kind: 'completed', output: value };
  };
}
