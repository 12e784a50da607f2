import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type * as Schemas from 'ajv/dist/2020.js';
import type { WorkflowCatalogue } from '../engine/catalogue.ts';
import { isObject, type JsonObject } from '../json.ts';
import { packageFile } from '../package-files.ts';
import { type Answer, invalid, refusal, respond } from '../types/answers.ts';
import { structuralProblem, type Workflow } from '../types/workflow.ts';
import { readBody } from './body.ts';
import { tooMany } from './limits.ts';
import type { Host, Route } from './route.ts';
import { workflowNotFound } from './workflows.ts';

const PATH = '/v1/host/sample/workflows';

/** Characters of a definition, many times what a fixture has. */
const MOST_CHARACTERS = 65_536;

/** Room comes where the tenant removes a definition. */
const RETRY_SECONDS = 60;

/** Definitions of a tenant's own; they exist only on a host that was told to take them. */
export function registrationRoutes(host: Host): readonly Route[] {
  return [
    {
      method: 'POST',
      path: PATH,
      operationId: 'registerWorkflow',
      summary: "Add a workflow of the tenant's own",
      access: ['runs:create'],
      answers: {
        201: 'The workflow is there',
        400: 'The body is no definition',
        409: 'There is a workflow of this id',
        413: 'The body is too large',
        429: 'The tenant has as many workflows as it may have',
      },
      handle: async ({ request, tenant }) => {
        const body = await readBody(request);
        if (!body.ok) return respond(body.answer);
        return respond(body.text.length > MOST_CHARACTERS ? TOO_LARGE : register(host, tenant, body.value));
      },
    },
    {
      method: 'DELETE',
      path: `${PATH}/{workflowId}`,
      operationId: 'removeWorkflow',
      summary: "Take away a workflow of the tenant's own",
      access: ['runs:create'],
      answers: { 200: 'It is gone', 404: 'The tenant has added no such workflow' },
      handle: ({ params, tenant }) => {
        const { workflowId = '' } = params;
        const isGone = host.workflows.remove(tenant, workflowId);
        return respond(isGone ? { status: 200, body: { workflowId } } : workflowNotFound());
      },
    },
  ];
}

const TOO_LARGE = refusal(413, 'payload_too_large', `A definition may have ${MOST_CHARACTERS} characters.`);

function register({ workflows, limits }: Host, tenant: string, body: unknown): Answer {
  const workflow = readDefinition(body);
  if (typeof workflow === 'string') return invalid(workflow);
  const { id } = workflow;
  if (workflows.get(id, tenant) !== undefined) {
    return refusal(409, 'workflow_exists', TAKEN);
  }
  if (workflows.count(tenant) >= limits.workflows) {
    return tooMany('workflow_limit_reached', `A tenant may add ${limits.workflows} workflows.`, RETRY_SECONDS);
  }
  workflows.add(tenant, workflow);
  return { status: 201, body: { id, workflowId: id } };
}

/** Adds definitions of a tenant's own from the start. Throws an Error that names the first one that cannot be one. */
export function addWorkflows(catalogue: WorkflowCatalogue, tenant: string, bodies: readonly unknown[]): void {
  for (const [index, body] of bodies.entries()) {
    const workflow = readDefinition(body);
    const problem = typeof workflow === 'string' ? workflow : catalogue.add(tenant, workflow) ? undefined : TAKEN;
    const id = isObject(body) ? (body['id'] ?? body['workflowId']) : undefined;
    const name = `workflows[${index}]${id === undefined ? '' : ` (${JSON.stringify(id)})`}`;
    if (problem !== undefined) throw new Error(`${name}: ${problem}`);
  }
}

const TAKEN = 'There is a workflow of this id.';

/** The definition in a body, or what is wrong with it. Ids may stand as `workflowId` and `nodeId` as well. */
function readDefinition(body: unknown): Workflow | string {
  if (!isObject(body)) return 'The body must be a JSON object.';
  const named = withoutSecondName(body, 'workflowId');
  const plain = typeof named === 'string' ? named : withPlainNodes(named);
  if (typeof plain === 'string') return plain;
  const problem = schemaProblem(plain);
  if (problem !== undefined) return problem;
  const workflow = plain as unknown as Workflow;
  const structural = structuralProblem(workflow);
  return structural === undefined ? workflow : `The definition cannot be executed: ${structural}.`;
}

/** The same with `id` alone. */
function withoutSecondName(value: JsonObject, name: string): JsonObject | string {
  const { [name]: second, ...rest } = value;
  if (second === undefined) return value;
  if (rest['id'] !== undefined && rest['id'] !== second) return `id and ${name} must be the same.`;
  return { ...rest, id: second };
}

/** The same with plain nodes, in the revisions too; what is no list of objects is left to the schema. */
function withPlainNodes(value: JsonObject): JsonObject | string {
  let problem: string | undefined;
  const plainNode = (node: unknown): unknown => {
    const plain = isObject(node) ? withoutSecondName(node, 'nodeId') : node;
    if (typeof plain === 'string') problem = plain;
    return plain;
  };
  const plainNodes = (each: unknown): unknown =>
    isObject(each) && Array.isArray(each['nodes']) ? { ...each, nodes: each['nodes'].map(plainNode) } : each;
  const { revisions } = value;
  const plain = {
    ...(plainNodes(value) as JsonObject),
    ...(Array.isArray(revisions) ? { revisions: revisions.map(plainNodes) } : {}),
  };
  return problem ?? plain;
}

let validator: Schemas.ValidateFunction | undefined;

/** Where a definition does not fit schemas/workflow.schema.json, as a sentence. */
function schemaProblem(value: unknown): string | undefined {
  if (validator === undefined) {
    const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js') as typeof Schemas;
    const schema = JSON.parse(readFileSync(packageFile('schemas/workflow.schema.json'), 'utf8')) as object;
    validator = new Ajv2020({ strict: false }).compile(schema);
  }
  if (validator(value)) return undefined;
  const [error] = validator.errors ?? [];
  return `The definition does not fit its schema: ${error?.instancePath || 'the body'} ${error?.message ?? ''}.`;
}
