/** The crier's horn with its pennant. */
export function LogoMark({ size = 28 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden focusable="false" className="shrink-0">
      <rect width="32" height="32" rx="8" className="fill-primary" />
      <g className="fill-primary-fg">
        <rect x="5" y="11" width="2" height="7" rx="1" />
        <path d="M8 13h4.5c4.6 0 8.2-2 10.6-5.6.5-.8 1.9-.5 1.9.6v13c0 1.1-1.4 1.4-1.9.6C20.7 18 17.1 16 12.5 16H8z" />
        <path d="M10 17.5h5.5V26l-2.75-2.1L10 26z" />
      </g>
    </svg>
  );
}

/** Mark and name. The name is the product's or the reseller's own. */
export function Logo({ name, hideName }: { name: string; hideName?: boolean }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-2.5">
      <LogoMark />
      <bdi className={hideName ? "sr-only" : "truncate font-semibold text-lg ltr:tracking-[-0.01em]"}>
        {name}
      </bdi>
    </span>
  );
}
