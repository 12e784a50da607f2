import { lowest, turn } from '../../engine/order.ts';
import type { Order } from '../../types/order.ts';
import type { Workflow } from '../../types/workflow.ts';

/** By the definition and not by the source: all events of the first node, then those of the next, forwards or backwards. */
export function asDefined({ nodes }: Pick<Workflow, 'nodes'>, direction: 1 | -1): Order {
  const ids = nodes.map(({ id }) => id);
  return {
    choose: async (beginning, going) =>
      lowest(await Promise.all([...going, ...beginning].map(turn)), ({ run, draft }) =>
        draft === undefined ? -Infinity : direction * ids.indexOf(run.node.id),
      ),
  };
}
