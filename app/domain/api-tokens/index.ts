export {
  API_TOKEN_LIVES,
  API_TOKEN_PREFIX,
  API_TOKEN_SCOPES,
  apiTokenEnd,
  isOver,
  MAX_API_TOKEN_NAME_LENGTH,
  MAX_API_TOKENS,
  type ApiTokenLife,
  type ApiTokenScope,
} from './token.ts';
