import { stringMember } from '../../json.ts';
import type { NodeKind } from './node.ts';

/** `core.fail`: fails always, with `config.code` and `config.message`, and with a variable's text where it names one. */
// oxlint-disable-next-line eslint/require-yield -- a node kind without events of its own
export const fail: NodeKind = async function* run({ config }, _world, view) {
  const code = stringMember(config, 'code') ?? 'failed';
  const message = stringMember(config, 'message') ?? 'This node fails always.';
  const name = stringMember(config, 'messageVariable');
  const appended = name === undefined ? '' : ` ${JSON.stringify(view.variables.get(name) ?? null)}`;
  return { kind: 'failed', error: { code, message: message + appended } };
};
