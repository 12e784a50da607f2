import type { PlainState, StateChange, Timeline } from './model.ts';
import { text } from '../text.tsx';
import { JsonTree, type TreeBudget } from '../tree.tsx';

/** What an event has changed, before and after it side by side. */
export function StateDiff({ change, budget }: { readonly change: StateChange; readonly budget: TreeBudget }) {
  return (
    <div class="sides">
      <div class="side gone">
        <h3>before: {text(change.place, 80)}</h3>
        <JsonTree value={change.before} budget={budget} />
      </div>
      <div class="side come">
        <h3>after: {text(change.place, 80)}</h3>
        <JsonTree value={change.after} budget={budget} />
      </div>
    </div>
  );
}

/** The whole states around the event that was jumped to. */
export function StatesAround({
  opened,
  budget,
}: {
  readonly opened: NonNullable<Timeline['opened']>;
  readonly budget: TreeBudget;
}) {
  return (
    <div class="sides">
      <Whole title="whole state before" state={opened.before} budget={budget} />
      <Whole title="whole state after" state={opened.after} budget={budget} />
    </div>
  );
}

function Whole({
  title,
  state,
  budget,
}: {
  readonly title: string;
  readonly state: PlainState;
  readonly budget: TreeBudget;
}) {
  return (
    <div class="side">
      <h3>{title}</h3>
      <JsonTree value={state} budget={budget} />
    </div>
  );
}
