// MCP over HTTP, loaded with the first request.
export { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
export { createMcpServer } from './mcp-server.server.ts';
