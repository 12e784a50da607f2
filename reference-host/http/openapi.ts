import type { JsonObject } from '../json.ts';
import { packageVersion } from '../package-files.ts';
import { respond } from '../types/answers.ts';
import type { Route } from './route.ts';

/** The openapi.json route. The document describes the given routes and itself, made from the table that routes them. */
export function openApiRoute(routes: readonly Route[]): Route {
  const self: Route = {
    method: 'GET',
    path: '/v1/openapi.json',
    operationId: 'describe',
    summary: 'This description',
    access: 'public',
    answers: { 200: 'An OpenAPI document' },
    handle: () => respond({ status: 200, body: openApiDocument([...routes, self]) }),
  };
  return self;
}

function openApiDocument(routes: readonly Route[]): JsonObject {
  const paths = new Map<string, JsonObject>();
  for (const route of routes) {
    paths.set(route.path, { ...paths.get(route.path), [route.method.toLowerCase()]: operation(route) });
  }
  return {
    openapi: '3.1.0',
    info: { title: 'OpenWOP reference host', version: packageVersion() },
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: ERROR },
    },
  };
}

const ERROR = {
  type: 'object',
  required: ['error', 'message'],
  properties: { error: { type: 'string' }, message: { type: 'string' }, details: { type: 'object' } },
  additionalProperties: false,
};

function operation(route: Route): JsonObject {
  return {
    operationId: route.operationId,
    summary: route.summary,
    security: route.access === 'public' ? [] : [{ bearer: route.access }],
    parameters: parameters(route),
    ...(route.method === 'POST'
      ? { requestBody: { content: { 'application/json': { schema: { type: 'object' } } } } }
      : {}),
    responses: responses(route),
  };
}

function parameters(route: Route): JsonObject[] {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const inQuery = Object.entries(route.query ?? {}).map(([name, description]) => ({
    name,
    in: 'query',
    description,
    schema: { type: 'string' },
  }));
  return [...inPath, ...inQuery];
}

function responses({ access, answers }: Route): JsonObject {
  const guarded = access === 'public' ? {} : { 401: 'No valid credential' };
  const scoped = access === 'public' || access.length === 0 ? {} : { 403: 'The credential lacks a scope' };
  const all = Object.entries({ ...answers, ...guarded, ...scoped });
  return Object.fromEntries(
    all.map(([status, description]) => [status, status < '4' ? { description } : errorResponse(description)]),
  );
}

function errorResponse(description: string): JsonObject {
  return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
}
