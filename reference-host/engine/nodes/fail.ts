import { stringMember } from '../../json.ts';
import type { NodeKind } from './node.ts';

/**
 * `core.fail`: fails always, with `config.code` and `config.message`; the JSON text of the variable `config.messageVariable`
 * follows the message.
 */
// oxlint-disable-next-line eslint/require-yield -- a node kind without events of its own
export const fail: NodeKind = async function* run(node, _world, view) {
  const variable = stringMember(node.config, 'messageVariable');
  const message = stringMember(node.config, 'message') ?? 'This node fails always.';
  const said = variable === undefined ? '' : ` ${JSON.stringify(view.variables.get(variable) ?? null)}`;
  const code = stringMember(node.config, 'code') ?? 'failed';
  return { kind: 'failed', error: { code, message: message + said } };
};
