// What answers MCP over HTTP, loaded by the first program that asks.
export { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
export { createMcpServer } from './mcp-server.server.ts';
