"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { buildMenu } from "@/components/navigation/menu";
import { CrumbsProvider } from "@/components/ui/crumbs";
import { storePreference } from "@/components/ui/preference";
import { useMediaQuery } from "@/components/ui/use-media-query";
import { BannerStack, type Banners } from "./banner-stack";
import { BottomBar } from "./bottom-bar";
import { usePendingCreate } from "./create-on-page";
import { MenuContext } from "./menu-context";
import { NavigationLine } from "./navigation-line";
import { useTrackRecentPages } from "./recent-pages";
import type { ShellFrameProps } from "./shell-props";
import { SideMenu } from "./side-menu";
import { TopBar } from "./top-bar";
import { useHeadingFocus } from "./use-heading-focus";

/** Frame of signed-in pages: menu, top bar, banners and content. Loads no data. */
export function ShellFrame(props: ShellFrameProps) {
  const t = useTranslations("shell");
  const [collapsed, setCollapsed] = useState(props.collapsed ?? false);
  // Makes room for the list beside a docked preview.
  const isPreviewing = useSearchParams().has("peek");
  const isTight = useMediaQuery("(width >= 64rem) and (width < 80rem)") && isPreviewing;
  const groups = buildMenu(props.viewer);
  const labels = props.labels ?? {};
  const { viewAs, ...allBanners } = props.banners ?? {};
  const banners = withoutRepeats(allBanners, usePathname());
  useHeadingFocus();
  useTrackRecentPages();
  usePendingCreate();

  function toggleMenu() {
    setCollapsed(!collapsed);
    storePreference("menu", collapsed ? null : "collapsed");
  }

  return (
    <MenuContext value={{ groups, labels }}>
      <CrumbsProvider>
        <div className="min-h-dvh sm:grid sm:grid-cols-[auto_minmax(0,1fr)]">
          <SideMenu
            brand={props.brand}
            groups={groups}
            labels={labels}
            collapsed={collapsed || isTight}
            onToggle={isTight ? undefined : toggleMenu}
          />
          <div className="flex min-w-0 flex-col max-sm:pb-20 short:pb-0">
            {viewAs ? null : <BannerStack banners={banners} />}
            <header data-print="never" className="layer-bar sticky top-0 short:static">
              {viewAs ? (
                <section data-band aria-label={t("viewAs.label")}>
                  {viewAs}
                </section>
              ) : null}
              <NavigationLine />
              {props.offlineBanner}
              <TopBar {...props} groups={groups} labels={labels} />
            </header>
            {viewAs ? <BannerStack banners={banners} /> : null}
            <main
              id="main"
              tabIndex={-1}
              className="mx-auto w-full max-w-page flex-1 px-4 pt-6 pb-6 sm:px-6 sm:pt-8 sm:pb-16 lg:px-8"
            >
              {props.children}
            </main>
          </div>
          <BottomBar viewer={props.viewer} groups={groups} labels={labels} />
        </div>
      </CrumbsProvider>
    </MenuContext>
  );
}

/** Pages that say more about the subject of a banner, and pages of one payment, next to which a second would confuse. */
const PAGES_WITHOUT_BANNER: Partial<Record<keyof Banners, readonly string[]>> = {
  due: ["/dashboard", "/billing", "/billing/"],
  agreement: ["/dashboard", "/reseller/agreement"],
  // The pages behind the agreement show it instead of their content.
  agreementUnsigned: [
    "/dashboard",
    "/sites/new",
    "/reseller/agreement",
    "/reseller/branding",
    "/reseller/customers",
    "/reseller/customers/import",
    "/reseller/mail",
    "/reseller/referral",
  ],
  connectionDead: ["/dashboard", "/connections", "/connections/"],
  // The checklist has it as a step.
  mailUnverified: ["/dashboard"],
};

/** A page that ends with a slash stands for all pages below it. */
const isPage = (page: string, pathname: string) =>
  page.endsWith("/") ? pathname.startsWith(page) : pathname === page;

function withoutRepeats(banners: Omit<Banners, "viewAs">, pathname: string): Omit<Banners, "viewAs"> {
  return Object.fromEntries(
    Object.entries(banners).filter(
      ([kind]) => !PAGES_WITHOUT_BANNER[kind as keyof Banners]?.some((page) => isPage(page, pathname)),
    ),
  );
}
