"use client";

import { type ReactNode, useState } from "react";
import { type MenuLabels, menuFor, type Viewer } from "@/components/navigation/menu";
import { CrumbsProvider } from "@/components/ui/crumbs";
import { remember, type Theme } from "@/components/ui/preference";
import type { Locale } from "@/server/domains/settings/locales/contract";
import { BannerStack, type Banners } from "./banner-stack";
import { BottomBar } from "./bottom-bar";
import type { LanguageNames } from "./language-switch";
import { SideMenu } from "./side-menu";
import { TopBar } from "./top-bar";

interface ShellUser {
  name: string;
  email: string;
  avatarUrl?: string | null;
}

export interface ShellFrameProps {
  brand: string;
  user: ShellUser;
  viewer: Viewer;
  /** Custom menu names by key, already resolved by the server. */
  labels?: MenuLabels;
  /** Shown in the top bar when the account has credits. */
  credits?: number | null;
  theme: Theme;
  /** From the cookie `menu`. */
  collapsed?: boolean;
  banners?: Banners;
  /** Server actions or functions of a client component. */
  onSignOut: () => void | Promise<void>;
  onLocaleChange?: (locale: Locale) => void | Promise<void>;
  languages: LanguageNames;
  children: ReactNode;
}

/** The interactive parts of the shell; use `AppShell`. */
export function ShellFrame(props: ShellFrameProps) {
  const [collapsed, setCollapsed] = useState(props.collapsed ?? false);
  const groups = menuFor(props.viewer);
  const labels = props.labels ?? {};

  function toggle() {
    setCollapsed(!collapsed);
    remember("menu", collapsed ? null : "collapsed");
  }

  return (
    <CrumbsProvider>
      <div className="min-h-dvh sm:grid sm:grid-cols-[auto_minmax(0,1fr)]">
        <SideMenu
          brand={props.brand}
          groups={groups}
          labels={labels}
          collapsed={collapsed}
          onToggle={toggle}
        />
        <div className="flex min-w-0 flex-col max-sm:pb-20 short:pb-0">
          <BannerStack banners={props.banners ?? {}} />
          <TopBar {...props} groups={groups} labels={labels} />
          <main
            id="main"
            tabIndex={-1}
            className="mx-auto w-full max-w-page flex-1 px-4 pt-6 pb-16 sm:px-6 sm:pt-8 lg:px-8"
          >
            {props.children}
          </main>
        </div>
        <BottomBar groups={groups} labels={labels} />
      </div>
    </CrumbsProvider>
  );
}
