import { diffValues } from '../../../event-log/index.ts';
import type { StateChange, Timeline } from './model.ts';
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
export function StatesAround({ opened, budget }: AroundProps) {
  const marks = differences(opened.before, opened.after);
  return (
    <div class="sides">
      {(['before', 'after'] as const).map((side) => (
        <div class="side">
          <h3>{`whole state ${side}`}</h3>
          <JsonTree value={opened[side]} marks={marks} budget={budget} />
        </div>
      ))}
    </div>
  );
}

interface AroundProps {
  readonly opened: NonNullable<Timeline['opened']>;
  readonly budget: TreeBudget;
}

/** The places at which two states differ. */
function differences(before: unknown, after: unknown): readonly string[] {
  return diffValues(before, after, { pointer: '', sourceRunId: '', replayRunId: '' }).map(({ pointer }) => pointer);
}
