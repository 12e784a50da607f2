import { member, stringMember } from '../../json.ts';
import type { NodeKind } from './node.ts';

/** `core.setVariable`: writes `config.value` into the variable `config.variable`. */
export const setVariable: NodeKind = async function* run(node) {
  const name = stringMember(node.config, 'variable');
  if (name === undefined) {
    return { kind: 'failed', error: { code: 'invalid_node_config', message: 'config.variable must be a string.' } };
  }
  const value = member(node.config, 'value') ?? null;
  yield { type: 'variable.changed', nodeId: node.id, payload: { name, value } };
  return { kind: 'completed', output: value };
};
