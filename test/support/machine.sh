# Boots a Debian machine in namespaces of its own: systemd as process 1, over a copy-on-write view of this machine's files, with
# an empty network. Nothing outside changes, except that the processes use its memory. Arguments: an empty folder, a Node.js.
set -e
folder=$1
node=$2
root=$folder/root
mount --make-rprivate /
mount -t tmpfs tmpfs "$folder"
mkdir "$folder/upper" "$folder/work" "$root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/upper,workdir=$folder/work" "$root"

cd "$root"
mount -t proc proc proc
# Kernel variables are not namespaced.
mount --bind proc/sys proc/sys
mount -o remount,ro,bind proc/sys
mount --rbind /sys sys
mount -t tmpfs tmpfs sys/fs/cgroup
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs tmp
mount -t tmpfs tmpfs dev
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
mount -t tmpfs tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
ln -s fd/0 dev/stdin
ln -s fd/1 dev/stdout
ln -s fd/2 dev/stderr
for device in null zero full random urandom tty; do
  touch dev/$device
  mount --bind /dev/$device dev/$device
done
[ -e usr/bin/node ] || touch usr/bin/node
mount --bind "$node" usr/bin/node

units=etc/systemd/system
for unit in systemd-udevd systemd-udev-trigger systemd-remount-fs systemd-modules-load systemd-sysctl systemd-binfmt \
  systemd-timesyncd systemd-random-seed; do
  ln -sf /dev/null $units/$unit.service
done
for unit in dev-hugepages.mount sys-kernel-debug.mount sys-kernel-tracing.mount sys-fs-fuse-connections.mount \
  proc-sys-fs-binfmt_misc.automount systemd-udevd-kernel.socket systemd-udevd-control.socket; do
  ln -sf /dev/null $units/$unit
done
printf '[Unit]\nRequires=basic.target\nAfter=basic.target\n' > $units/machine.target
mkdir -p etc/systemd/journald.conf.d
printf '[Journal]\nReadKMsg=no\nStorage=volatile\n' > etc/systemd/journald.conf.d/machine.conf

ip link set lo up
mkdir old
pivot_root . old
cd /
umount -l old
rmdir old
export container=test
exec /lib/systemd/systemd --system --unit=machine.target --log-target=console --log-level=notice
