import { type Endpoint, removalOf, type Tried } from './registration-request.ts';

/** What is worth saying of registered fixtures: how many there are, which were there, and which are absent and why. */
export function linesAboutRegistering(endpoint: Endpoint, tried: readonly Tried[]): readonly string[] {
  const { method, origin, path } = endpoint;
  const where = `${method} ${origin}${path}`;
  const count = tried.filter(({ isOurs, state }) => isOurs && state.isThere).length;
  // What one tenant registered may be there for the other one.
  const conflicting = tried.filter(({ caller, state }) => caller.isFirst && state.because === '409');
  return [
    ...(count === 0 ? [] : [`${count} fixtures registered over ${where}, to be removed at the end`]),
    ...(conflicting.length === 0 ? [] : [`${where} answered 409: used as they are: ${listed(conflicting)}`]),
    ...grouped(tried.filter(({ state }) => !state.isThere)).map(
      ([because, group]) => `${where} gave ${because}: not registered, absent: ${listed(group)}`,
    ),
  ];
}

/** What is left at the host: a line for each reason. */
export function linesAboutRemoving(endpoint: Endpoint, left: readonly Tried[]): readonly string[] {
  return grouped(left).map(([because, group]) => {
    const { path } = removalOf(endpoint, group[0]?.workflowId ?? '');
    return `DELETE ${endpoint.origin}${path} gave ${because}: not removed, take them away: ${listed(group)}`;
  });
}

/** By what was answered, and to whom. */
function grouped(tried: readonly Tried[]): readonly (readonly [because: string, group: readonly Tried[]])[] {
  const groups = new Map<string, Tried[]>();
  for (const each of tried) {
    const because = `${each.state.because}${each.caller.isFirst ? '' : ' to the second tenant'}`;
    const group = groups.get(because);
    if (group === undefined) groups.set(because, [each]);
    else group.push(each);
  }
  return [...groups];
}

/** Fixtures that a line names. */
const NAMED = 4;

function listed(tried: readonly Tried[]): string {
  const names = tried.slice(0, NAMED).map(({ workflowId }) => workflowId);
  return `${names.join(', ')}${tried.length > NAMED ? ` and ${tried.length - NAMED} more` : ''}`;
}
