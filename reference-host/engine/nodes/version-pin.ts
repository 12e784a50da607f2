import { member, stringMember } from '../../json.ts';
import type { NodeKind } from './node.ts';
import { invalidConfig, outputEvents } from './inputs.ts';

/**
 * `core.version`: the version of `config.changeId` that this run goes by. The first node to ask pins `config.max`; a replay
 * keeps what its source pinned, and fails where the code no longer knows that version (replay.md, Determinism 3).
 */
export const versionPin: NodeKind = async function* run(node, world, view) {
  const changeId = stringMember(node.config, 'changeId');
  const [min, max] = [member(node.config, 'min'), member(node.config, 'max')];
  if (changeId === undefined || typeof min !== 'number' || typeof max !== 'number') {
    return invalidConfig('config.changeId must be a string, config.min and config.max numbers.');
  }
  const request = { kind: 'core.version', changeId };
  const pin = { type: 'version.pinned', nodeId: node.id, payload: { changeId, version: max } } as const;
  const pinned = view.versions.get(changeId);
  const { value, events } =
    pinned === undefined
      ? await world.observe({ nodeId: node.id, request, perform: () => ({ value: max, events: [pin] }) })
      : { value: pinned, events: [] };
  yield* events;
  if (Number(value) < min || Number(value) > max) {
    const message = `The run is pinned to version ${String(value)} of ${changeId}, which its code does not have.`;
    return { kind: 'failed', error: { code: 'version_not_supported', message } };
  }
  yield* outputEvents(node, value);
  return { kind: 'completed', output: value };
};
