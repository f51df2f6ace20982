export interface QrCodeProps {
  /** Width and height in modules. */
  size: number;
  /** Path data of the dark modules. */
  path: string;
  /** What scanning it does. */
  label: string;
}

/** A QR code, dark on light in both colour schemes, as scanners require. */
export function QrCode({ size, path, label }: QrCodeProps) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width="220"
      height="220"
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  );
}
