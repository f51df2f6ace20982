import * as z from 'zod';
import { createApiTokenSchema } from '#app/domain/accounts/api-token-schema.ts';
import { createApiToken, listApiTokens, revokeApiToken } from './api-tokens.server.ts';
import { operation, Reply } from '#app/platform/api/operation.ts';
import { idParams } from '#app/platform/api/shapes.ts';
import { apiTokenShape, EXAMPLE_API_TOKEN } from './profile-shape.ts';

const tag = 'Profile';

export const listTokens = operation({
  id: 'listApiTokens',
  method: 'GET',
  path: '/api/profile/tokens',
  tag,
  summary: 'Your personal tokens, without their secrets',
  access: 'user',
  sessionOnly: true,
  isList: true,
  response: z.object({ tokens: z.array(apiTokenShape) }),
  example: { data: { tokens: [EXAMPLE_API_TOKEN] } },
  run: async (ctx) => ({ tokens: await listApiTokens(ctx) }),
});

export const createToken = operation({
  id: 'createApiToken',
  method: 'POST',
  path: '/api/profile/tokens',
  tag,
  summary: 'Make a personal token',
  description:
    'Answers with its secret this once. The sign-in must be recent, at most 15 minutes old; at most 20 tokens at a time.',
  access: 'user',
  sessionOnly: true,
  creates: true,
  body: createApiTokenSchema,
  response: z.object({
    secret: z.string().describe('Send it as "Authorization: Bearer …"'),
    token: apiTokenShape,
  }),
  holdsSecret: true,
  errors: ['CONFLICT', 'RECENT_SIGN_IN_REQUIRED'],
  example: {
    body: { name: 'Home server', scope: 'read', life: '90' },
    data: { secret: 'vialbook_mK3vQ9dV0yq1sX7pZcR2tB8nLw5eHj4uGaFo6iTkNxY', token: EXAMPLE_API_TOKEN },
  },
  run: async (ctx, { body }) => createApiToken(ctx, body),
});

export const revokeToken = operation({
  id: 'revokeApiToken',
  method: 'DELETE',
  path: '/api/profile/tokens/{id}',
  tag,
  summary: 'Revoke a personal token',
  description: 'Whatever uses it is refused from its next call on.',
  access: 'user',
  sessionOnly: true,
  params: idParams,
  errors: ['NOT_FOUND'],
  example: {},
  async run(ctx, { params }) {
    await revokeApiToken(ctx, params.id);
    return new Reply({}, { message: 'Token revoked' });
  },
});

export const apiTokenOperations = [listTokens, createToken, revokeToken];
