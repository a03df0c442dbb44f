// What others execute or are steered by. Whoever may write it runs programs outside of every sandbox.

/** Below a home: what shells, desktops and service managers run by themselves, and where programs are looked for. */
const belowHome = [
  ...[".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".inputrc"],
  ...[".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".cshrc", ".tcshrc", ".login"],
  ...[".config/fish", ".config/zsh", ".config/nushell", ".config/environment.d", ".pam_environment"],
  ...[".xinitrc", ".xprofile", ".xsession", ".xsessionrc", ".config/plasma-workspace"],
  ...[".config/systemd", ".local/share/systemd", ".config/autostart", ".local/share/applications"],
  ...[".local/share/dbus-1", ".local/bin", "bin", ".vimrc", ".vim", ".config/nvim", ".emacs", ".emacs.d"],
  ...[".config/git", ".tmux.conf", ".config/tmux", ".pyenv", ".rbenv", ".nodenv", ".asdf", ".nvm", ".volta"],
  ...[".cargo/bin", "go/bin", ".bun/bin", ".deno/bin", ".local/share/mise", ".local/share/uv"],
  ...[".local/lib", ".local/pipx", ".pythonrc", ".direnvrc", ".config/direnv", ".gdbinit"],
  ...["Library/LaunchAgents"],
];

const ofTheMachine = [
  ...["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix", "/etc", "/snap"],
  ...["/var/spool/cron", "/var/spool/at", "/var/lib/systemd", "/Library", "/System", "/Applications"],
];

/** What may not be written, whoever grants it: by name, for the home that is given. */
export function executedPaths(home: string): string[] {
  return [...belowHome.map((name) => `${home === "/" ? "" : home}/${name}`), ...ofTheMachine];
}
