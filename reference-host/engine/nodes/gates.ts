import { isObject, member, stringMember } from '../../json.ts';
import type { NodeKind } from './node.ts';
import { outputEvents } from './inputs.ts';
import { ask } from './question.ts';

/**
 * `core.approvalGate`: asks for `config.requiredApprovals` approvals, one where nothing is said, each a question of its
 * own. With `rejectionPolicy` "majority" it is rejected when most have rejected it, else by the first who does.
 */
export const approvalGate: NodeKind = async function* run(node, world) {
  const { config } = node;
  const required = member(config, 'requiredApprovals');
  const people = typeof required === 'number' && Number.isInteger(required) && required > 0 ? required : 1;
  const rejections = member(config, 'rejectionPolicy') === 'majority' ? Math.floor(people / 2) + 1 : 1;
  const data = { actions: member(config, 'actions') ?? ['accept', 'reject'], requiredApprovals: people };
  const answers: unknown[] = [];
  const count = (isRejection: boolean): number =>
    answers.filter((answer) => (member(answer, 'action') === 'reject') === isRejection).length;
  while (count(false) < people && count(true) < rejections) {
    const key = people === 1 ? node.id : `${node.id}-${answers.length + 1}`;
    const asked = yield* ask(world, { node, kind: 'approval', key, data });
    if (asked.kind === 'suspended') return asked;
    answers.push(asked.value);
  }
  if (count(true) >= rejections) {
    return { kind: 'failed', error: { code: 'approval_rejected', message: 'The gate was rejected.' } };
  }
  const output = people === 1 ? answers[0] : { approvals: answers };
  yield* outputEvents(node, output);
  return { kind: 'completed', output };
};

/** `core.clarificationGate`: asks `config.questions` and hands the answers on. */
export const clarificationGate: NodeKind = async function* run(node, world) {
  const data = { questions: member(node.config, 'questions') ?? [] };
  const asked = yield* ask(world, { node, kind: 'clarification', key: node.id, data });
  if (asked.kind === 'suspended') return asked;
  yield* outputEvents(node, asked.value);
  return { kind: 'completed', output: asked.value };
};

const CHANNEL = 'conversation';
const MOST_TURNS = 100;

/**
 * `core.conversationGate`: a conversation of `config.turnCount` turns in the channel `conversation`. With `mockAutoResume`
 * it answers itself; else each turn is a question.
 */
export const conversationGate: NodeKind = async function* run(node, world, view) {
  const configured = member(node.config, 'turnCount');
  const turns = typeof configured === 'number' ? Math.min(Math.max(configured, 0), MOST_TURNS) : 1;
  const channel = stringMember(node.config, 'channelName') ?? CHANNEL;
  const before = view.channels.get(channel);
  let said: readonly unknown[] = Array.isArray(before) ? before : [];
  for (let turn = 1; turn <= turns; turn += 1) {
    let content: unknown = `answer ${turn}`;
    if (member(node.config, 'mockAutoResume') !== true) {
      const asked = yield* ask(world, { node, kind: 'conversation', key: `${node.id}-${turn}`, data: { turn } });
      if (asked.kind === 'suspended') return asked;
      content = isObject(asked.value) ? (member(asked.value, 'content') ?? asked.value) : asked.value;
    }
    said = [...said, { turn, role: 'user', content }];
    yield { type: 'channel.written', nodeId: node.id, payload: { channel, value: said } };
  }
  return { kind: 'completed', output: { turns } };
};
