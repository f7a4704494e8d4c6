"use client";

import { Bookmark } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Drawer } from "@/components/ui/drawer";
import { lazyPart } from "@/components/ui/lazy-part";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { SavedViewList } from "@/server/domains/accounts/preferences/policy";

const ViewsPanel = lazyPart(() => import("./views-panel").then((file) => file.ViewsPanel), {
  loading: () => <SkeletonRows rowCount={3} />,
});

export function SavedViews({ list }: { list: SavedViewList }) {
  const t = useTranslations("savedViews");
  const [isOpen, setOpen] = useState(false);
  return (
    <Drawer
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button size="sm" icon={<Bookmark />}>
          {t("open")}
        </Button>
      }
      title={t("title")}
      preload={ViewsPanel.preload}
    >
      <ViewsPanel list={list} onChosen={() => setOpen(false)} />
    </Drawer>
  );
}
