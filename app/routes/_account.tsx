import Dashboard, { FrameErrorPage, loader } from './dashboard.tsx';

/** Pages of an account whose addresses lie outside `/dashboard`: they stand in the same frame. */
export { loader };

export default Dashboard;

export function ErrorBoundary() {
  return <FrameErrorPage routeId="routes/_account" />;
}
