import { UsageError } from '../contract/usage-error.ts';
import type { Json } from '../evidence/types.ts';
import type { AddedWorkflow } from '../runner/scenario.ts';
import { messageOf } from './files.ts';
import { readTextFile } from './text-file.ts';

/** Reads what `--workflow ID[=FILE]` adds to a sweep; a file holds the inputs of its workflow as a JSON object. */
export function readWorkflows(values: readonly string[] = []): readonly AddedWorkflow[] {
  const added = values.map(readWorkflow);
  const ids = added.map(({ workflowId }) => workflowId);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new UsageError(`--workflow names ${JSON.stringify(twice)} twice`);
  return added;
}

/** The files that `--workflow ID=FILE` names. */
export function workflowFiles(values: readonly string[] = []): readonly string[] {
  return values.flatMap((value) => parted(value).file ?? []);
}

function parted(value: string): { readonly workflowId: string; readonly file: string | undefined } {
  const at = value.indexOf('=');
  return at === -1
    ? { workflowId: value, file: undefined }
    : { workflowId: value.slice(0, at), file: value.slice(at + 1) };
}

function readWorkflow(value: string): AddedWorkflow {
  const { workflowId, file } = parted(value);
  if (!/^[^\p{C}]{1,200}$/u.test(workflowId) || file === '') {
    throw new UsageError(`--workflow takes ID or ID=FILE, not ${JSON.stringify(value)}`);
  }
  return file === undefined ? { workflowId } : { workflowId, given: { file, inputs: readInputs(file) } };
}

/** Inputs are sent with each run and stand in the evidence: no more than so many bytes. */
const MOST_BYTES = 64 * 1024;

function readInputs(file: string): { readonly [name: string]: Json } {
  const text = readTextFile(file, MOST_BYTES, (problem) => new UsageError(`--workflow: ${file} ${problem}`));
  let inputs: unknown;
  try {
    inputs = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--workflow: ${file} holds no JSON: ${messageOf(error)}`, { cause: error });
  }
  if (typeof inputs !== 'object' || inputs === null || Array.isArray(inputs)) {
    throw new UsageError(`--workflow: ${file} has to hold a JSON object, the inputs`);
  }
  return inputs as { readonly [name: string]: Json };
}
