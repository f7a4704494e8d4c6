"use client";

import { useTranslations } from "next-intl";
import { Drawer } from "@/components/ui/drawer";
import { lazyPart } from "@/components/ui/lazy-part";
import type { Assignable, Member } from "./types";

const EditMemberForm = lazyPart(() => import("./edit-form").then((file) => file.EditMemberForm));

export interface EditMemberProps {
  member: Member;
  assignable: Assignable;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function EditMember({ member, assignable, open, onOpenChange }: EditMemberProps) {
  const t = useTranslations("team.edit");
  return (
    <Drawer
      open={open}
      onOpenChange={onOpenChange}
      title={t.rich("title", { name: () => <bdi>{member.name}</bdi> })}
    >
      <EditMemberForm member={member} assignable={assignable} onSaved={() => onOpenChange(false)} />
    </Drawer>
  );
}
