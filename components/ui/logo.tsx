import { clsx } from "clsx";
import { getFirstCharacter } from "@/server/core/graphemes";

export interface BrandProps {
  name: string;
  /** A reseller's brand: nothing of the platform's brand may show. */
  isResellerBrand?: boolean;
  logo?: string | null;
  logoDark?: string | null;
  icon?: string | null;
}

/** Platform icon (a crier's horn), or the reseller's icon or initial. */
export function LogoMark({ brand, size = 28 }: { brand?: BrandProps; size?: number }) {
  if (brand?.icon)
    // biome-ignore lint/performance/noImgElement: already in its final size, and public
    return <img src={brand.icon} alt="" width={size} height={size} className="shrink-0 rounded-control" />;
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden focusable="false" className="shrink-0">
      <rect width="32" height="32" rx="8" className="fill-primary" />
      {brand?.isResellerBrand ? (
        <text x="16" y="22.5" textAnchor="middle" className="fill-primary-fg font-semibold text-[1.125rem]">
          {getFirstCharacter(brand.name)}
        </text>
      ) : (
        <g className="fill-primary-fg">
          <rect x="5" y="11" width="2" height="7" rx="1" />
          <path d="M8 13h4.5c4.6 0 8.2-2 10.6-5.6.5-.8 1.9-.5 1.9.6v13c0 1.1-1.4 1.4-1.9.6C20.7 18 17.1 16 12.5 16H8z" />
          <path d="M10 17.5h5.5V26l-2.75-2.1L10 26z" />
        </g>
      )}
    </svg>
  );
}

export function Logo({ brand }: { brand: BrandProps }) {
  if (brand.logo) return <LogoPicture brand={brand} />;
  return (
    <span className="inline-flex min-w-0 items-center gap-2.5">
      <LogoMark brand={brand} />
      <bdi className="truncate font-semibold text-lg ltr:tracking-[-0.01em]">{brand.name}</bdi>
    </span>
  );
}

const PICTURE_CLASS = "h-9 w-auto max-w-full object-contain object-[left_center] rtl:object-[right_center]";

function LogoPicture({ brand: { name, logo, logoDark } }: { brand: BrandProps }) {
  return (
    <span className="inline-flex min-w-0 items-center">
      {/* biome-ignore lint/performance/noImgElement: already in its final size, and public */}
      <img src={logo ?? undefined} alt={name} className={clsx(PICTURE_CLASS, logoDark && "light-only")} />
      {logoDark ? (
        // biome-ignore lint/performance/noImgElement: as above
        <img src={logoDark} alt={name} className={clsx(PICTURE_CLASS, "dark-only")} />
      ) : null}
    </span>
  );
}
