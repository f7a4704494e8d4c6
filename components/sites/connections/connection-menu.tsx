"use client";

import { Activity, Ellipsis, Pencil, Power, PowerOff } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Drawer } from "@/components/ui/drawer";
import { IconButton } from "@/components/ui/icon-button";
import { lazyPart } from "@/components/ui/lazy-part";
import { Menu, MenuItem } from "@/components/ui/menu";
import type { Connection, OwnSite } from "./types";

const EditConnectionForm = lazyPart(() => import("./edit-form").then((file) => file.EditConnectionForm));

export interface ConnectionMenuProps {
  connection: Connection;
  /** Sites that can be linked; omitted for other owners' connections. */
  sites?: readonly OwnSite[];
}

export function ConnectionMenu({ connection, sites }: ConnectionMenuProps) {
  const t = useTranslations("connections");
  const utils = api.useUtils();
  const [isEditing, setIsEditing] = useState(false);
  const { id, label, channel, is_active: isActive, cleanup } = connection;
  const params = { id: String(id) };
  const refresh = () => utils.connections.list.invalidate();
  const checkAction = useAction(() => call.connections.check.mutate({ params }), { onSuccess: refresh });
  const switchAction = useAction(
    (is_active: boolean) => call.connections.update.mutate({ params, body: { is_active } }),
    {
      onSuccess: refresh,
    },
  );
  return (
    <>
      <Menu
        trigger={
          <IconButton
            label={t("menu.label", { name: label })}
            icon={<Ellipsis />}
            size="sm"
            tooltip={false}
          />
        }
      >
        {channel === "web_chat" ? null : (
          <MenuItem icon={<Activity />} onSelect={() => checkAction.run()}>
            {t("menu.check")}
          </MenuItem>
        )}
        {cleanup === "running" ? null : (
          <MenuItem icon={<Pencil />} opens={EditConnectionForm} onSelect={() => setIsEditing(true)}>
            {t("menu.edit")}
          </MenuItem>
        )}
        {cleanup === "running" ? null : (
          <MenuItem icon={isActive ? <PowerOff /> : <Power />} onSelect={() => switchAction.run(!isActive)}>
            {t(isActive ? "menu.deactivate" : "menu.activate")}
          </MenuItem>
        )}
      </Menu>
      <Drawer
        open={isEditing}
        onOpenChange={setIsEditing}
        title={t.rich("edit.title", { name: () => <bdi>{label}</bdi> })}
      >
        <EditConnectionForm connection={connection} sites={sites} onSaved={() => setIsEditing(false)} />
      </Drawer>
    </>
  );
}
