import { isObject } from '../../json.ts';
import type { RunEvent } from '../../store/event.ts';
import { type Defect, type Defects, within } from '../mutant.ts';

/** A defect of forks that the other region serves: they inherit other events. */
function inheriting(breaks: string, kills: readonly string[], change: (event: RunEvent) => RunEvent): Defect {
  return { breaks, kills, parts: within('secondRegion', () => ({ inherited: (history) => history.map(change) })) };
}

/** Forks that another region serves. */
export const defects: Defects = {
  'region-refuses-foreign-runs': {
    breaks: 'The other region does not fork runs that it did not carry out.',
    kills: ['region.same-fork.served'],
    parts: within('secondRegion', () => ({ servesForks: () => false })),
  },
  'region-shortens-history': {
    breaks: 'Forks that the other region serves inherit the first event only.',
    kills: ['region.same-fork.log'],
    parts: within('secondRegion', () => ({ inherited: (history) => history.slice(0, 1) })),
  },
  'region-changes-history': inheriting(
    'The other region changes what nodes gave back in the history of a fork.',
    ['region.same-fork.log'],
    (event) => (event.type === 'node.completed' ? { ...event, payload: { output: 'from the other region' } } : event),
  ),
  'region-loses-variables': inheriting(
    'The other region leaves variables out of the history of a fork.',
    ['region.same-fork.log'],
    (event) => (event.type === 'variable.changed' ? { ...event, type: 'log.appended' as const } : event),
  ),
  'region-changes-variables-in-history': inheriting(
    'The other region forks with other values of variables.',
    ['region.same-fork.log'],
    (event) =>
      event.type === 'variable.changed' && isObject(event.payload)
        ? { ...event, payload: { ...event.payload, value: 'from the other region' } }
        : event,
  ),
  'region-shows-no-variables': {
    breaks: 'Snapshots that the other region shows have no variables.',
    kills: ['region.same-fork.state'],
    parts: within('secondRegion', () => ({ snapshotOnWire: (snapshot) => ({ ...snapshot, variables: {} }) })),
  },
  'region-shows-no-variables-of-branches': {
    breaks: 'Snapshots of branches that the other region shows have no variables.',
    kills: ['region.same-fork.state'],
    parts: within('secondRegion', () => ({
      snapshotOnWire: (snapshot) => (snapshot['forkMode'] === 'branch' ? { ...snapshot, variables: {} } : snapshot),
    })),
  },
  'region-shows-another-status': {
    breaks: 'Snapshots that the other region shows have another status.',
    kills: ['region.same-fork.state'],
    parts: within('secondRegion', () => ({
      snapshotOnWire: (snapshot) => ({
        ...snapshot,
        status: snapshot['status'] === 'completed' ? 'failed' : snapshot['status'],
      }),
    })),
  },
};
