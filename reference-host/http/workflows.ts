import { refusal, respond } from '../types/answers.ts';
import type { Host, Route } from './route.ts';

/** Reading workflow definitions. */
export function workflowRoutes({ workflows }: Host): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/workflows/{workflowId}',
      operationId: 'readWorkflow',
      summary: 'The definition of a workflow',
      access: ['manifest:read'],
      answers: { 200: 'The definition', 404: 'There is no such workflow' },
      handle: ({ params, tenant }) => {
        const workflow = workflows.get(params['workflowId'] ?? '', tenant);
        return respond(workflow === undefined ? workflowNotFound() : { status: 200, body: workflow });
      },
    },
  ];
}

/** 404 for a workflow that this host does not have. */
export function workflowNotFound(): ReturnType<typeof refusal> {
  return refusal(404, 'workflow_not_found', 'There is no such workflow.');
}
