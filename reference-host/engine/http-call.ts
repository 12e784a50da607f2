import { askJson, type JsonAnswer, type JsonRequest } from '../ask-json.ts';
import { parseJson } from '../json.ts';
import type { ToolAnswer } from '../types/world.ts';

/**
 * Asks a tool for JSON, without an exception. The message of a failure holds nothing that changes from one call to the
 * next, so that it may stand in a log.
 */
export async function callHttp(call: JsonRequest): Promise<ToolAnswer> {
  const answer = await askJson(call);
  if (!answer.ok) return failed(WHY[answer.why]);
  if (answer.status < 200 || answer.status > 299) return failed(`The tool answered with status ${answer.status}.`);
  const reading = parseJson(answer.text);
  return reading.ok ? { kind: 'answered', answer: reading.value } : failed('The tool did not answer with JSON.');
}

const WHY: Readonly<Record<Extract<JsonAnswer, { ok: false }>['why'], string>> = {
  'not an http address': 'The tool has no http address.',
  'no answer': 'The tool gave no answer.',
  'answer too large': 'The tool answered with too many bytes.',
};

function failed(message: string): ToolAnswer {
  return { kind: 'failed', message };
}
