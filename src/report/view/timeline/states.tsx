import { diffValues } from '../../../event-log/index.ts';
import type { PlainState, StateChange, Timeline } from './model.ts';
import { text } from '../text.tsx';
import { JsonTree, type TreeBudget } from '../tree.tsx';

/** What an event has changed, before and after it side by side. */
export function StateDiff({ change, budget }: { readonly change: StateChange; readonly budget: TreeBudget }) {
  const marks = change.before === undefined ? [] : differences(change.before, change.after);
  return (
    <div class="sides">
      <div class="side gone">
        <h3>before: {text(change.place, 80)}</h3>
        <JsonTree value={change.before} marks={marks} budget={budget} />
      </div>
      <div class="side come">
        <h3>after: {text(change.place, 80)}</h3>
        <JsonTree value={change.after} marks={marks} budget={budget} />
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
  const marks = differences(opened.before, opened.after);
  return (
    <div class="sides">
      <Whole title="whole state before" state={opened.before} marks={marks} budget={budget} />
      <Whole title="whole state after" state={opened.after} marks={marks} budget={budget} />
    </div>
  );
}

function Whole({
  title,
  state,
  marks,
  budget,
}: {
  readonly title: string;
  readonly state: PlainState;
  readonly marks: readonly string[];
  readonly budget: TreeBudget;
}) {
  return (
    <div class="side">
      <h3>{title}</h3>
      <JsonTree value={state} marks={marks} budget={budget} />
    </div>
  );
}

/** The places at which two states differ. */
function differences(before: unknown, after: unknown): readonly string[] {
  return diffValues(before, after, { pointer: '', sourceRunId: '', replayRunId: '' }).map(({ pointer }) => pointer);
}
