/** A tool of a fixture: its node, its name, the effect that it calls. */
export interface FixtureTool {
  readonly nodeId: string;
  readonly toolName: string;
  readonly effect: string;
}

/** The workflow of the crash matrix: one node, which calls the witness once. */
export const ONCE = 'conformance-determinism-once';

/** Its tool, whose arguments are the run's input `toolArgs`. */
export const CHARGE: FixtureTool = { nodeId: 'charge', toolName: 'charge-card', effect: 'charge' };

/** What the runs of the crash matrix give it: a call behind a death that lacks them was not made as the run says. */
export const KEPT_ARGS = { note: 'kept through deaths' };

/** The fixture with two tools, one after the other. */
export const TWICE = 'conformance-determinism-once-twice';

/** Its tools, in their order, with their arguments as JSON text. */
export const FIRST = { nodeId: 'first', toolName: 'first-tool', effect: 'first', args: '{"step":1,"note":"first"}' };
export const SECOND = {
  nodeId: 'second',
  toolName: 'second-tool',
  effect: 'second',
  args: '{"step":2,"note":"second"}',
};
