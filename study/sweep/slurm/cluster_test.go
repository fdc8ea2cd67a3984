package slurm_test

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// programs are the programs that a cluster of one machine needs, by Debian's packages.
var programs = map[string]string{"munged": "munge", "slurmctld": "slurmctld", "slurmd": "slurmd", "sbatch": "slurm-client"}

// cluster is a Slurm of two nodes on this machine, with all its files in a folder of its own.
type cluster struct {
	t       *testing.T
	dir     string
	path    string // of its configuration
	daemons map[string]*exec.Cmd
}

// find returns the path of a program, also of one for administrators.
func find(name string) (string, error) {
	for _, dir := range []string{"/usr/sbin", "/sbin", "/usr/local/sbin"} {
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path, nil
		}
	}
	return exec.LookPath(name)
}

// start starts a cluster that ends with the test, or skips the test where Slurm is not installed.
func start(t *testing.T) *cluster {
	t.Helper()
	if *cells == 0 {
		t.Skip("SKIPPED: a cluster takes minutes: make cluster starts one")
	}
	for name, pkg := range programs {
		if _, err := find(name); err != nil {
			t.Skipf("SKIPPED: there is no %s here; Debian's package %s has it, and make cluster installs it", name, pkg)
		}
	}
	dir, err := os.MkdirTemp("/tmp", "jacquard-cluster-") // paths of sockets must be short
	require.NoError(t, err)
	c := &cluster{t: t, dir: dir, path: filepath.Join(dir, "slurm.conf"), daemons: map[string]*exec.Cmd{}}
	t.Cleanup(c.end)
	require.NoError(t, os.Chmod(dir, 0o755))
	for _, sub := range []string{"munge", "state", "n0", "n1"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, sub), 0o755))
	}
	c.munge()
	c.configure()
	c.daemon("slurmctld", nil, "slurmctld", "-D", "-f", c.path)
	c.node("n0")
	c.node("n1")
	require.Eventually(t, func() bool {
		out, err := c.run("sinfo", "--noheader", "--Node", "--format=%N %T").CombinedOutput()
		return err == nil && strings.Count(string(out), " idle\n") == 2
	}, time.Minute, 200*time.Millisecond, "the nodes do not come up: %s", c.logs())
	return c
}

// munge starts the service that Slurm proves its users by, as a user of its own if this is root.
func (c *cluster) munge() {
	dir := filepath.Join(c.dir, "munge")
	key := filepath.Join(dir, "key")
	require.NoError(c.t, os.WriteFile(key, bytes.Repeat([]byte("jacquard"), 16), 0o600))
	var as *syscall.SysProcAttr
	if os.Getuid() == 0 {
		u, err := user.Lookup("munge")
		require.NoError(c.t, err)
		uid, err := strconv.Atoi(u.Uid)
		require.NoError(c.t, err)
		gid, err := strconv.Atoi(u.Gid)
		require.NoError(c.t, err)
		require.NoError(c.t, os.Chown(dir, uid, gid))
		require.NoError(c.t, os.Chown(key, uid, gid))
		as = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	c.daemon("munged", as, "munged", "--foreground", "--socket="+in("socket"), "--key-file="+key,
		"--pid-file="+in("pid"), "--log-file="+in("munged.log"), "--seed-file="+in("seed"), "--num-threads=2")
	require.Eventually(c.t, func() bool {
		out, err := exec.Command("munge", "--socket="+in("socket"), "--no-input").CombinedOutput()
		return err == nil && bytes.HasPrefix(out, []byte("MUNGE:"))
	}, 20*time.Second, 100*time.Millisecond, "munged does not answer")
}

// configure writes the configuration: no systemd, no cgroups, no accounting.
func (c *cluster) configure() {
	me, err := user.Current()
	require.NoError(c.t, err)
	host, err := os.Hostname()
	require.NoError(c.t, err)
	ports := free(c.t, 3)
	text := fmt.Sprintf(`ClusterName=jacquard
SlurmctldHost=%[1]s(127.0.0.1)
SlurmUser=%[2]s
SlurmdUser=%[2]s
AuthType=auth/munge
AuthInfo=socket=%[3]s/munge/socket
StateSaveLocation=%[3]s/state
SlurmdSpoolDir=%[3]s/%%n
SlurmctldPidFile=%[3]s/slurmctld.pid
SlurmdPidFile=%[3]s/%%n.pid
SlurmctldPort=%[4]d
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
ReturnToService=2
SlurmdTimeout=20
KillWait=2
MinJobAge=30
MailProg=/bin/true
NodeName=n0 NodeHostname=%[1]s NodeAddr=127.0.0.1 Port=%[5]d CPUs=1 RealMemory=1000 State=UNKNOWN
NodeName=n1 NodeHostname=%[1]s NodeAddr=127.0.0.1 Port=%[6]d CPUs=1 RealMemory=1000 State=UNKNOWN
PartitionName=both Nodes=n0,n1 Default=YES MaxTime=60 State=UP
`, host, me.Username, c.dir, ports[0], ports[1], ports[2])
	require.NoError(c.t, os.WriteFile(c.path, []byte(text), 0o644))
}

// free returns ports that no one listens on.
func free(t *testing.T, n int) (ports []int) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// node starts the daemon of a node.
func (c *cluster) node(name string) { c.daemon(name, nil, "slurmd", "-D", "-N", name, "-f", c.path) }

// daemon starts a program that stays until the end.
func (c *cluster) daemon(name string, as *syscall.SysProcAttr, program string, args ...string) {
	path, err := find(program)
	require.NoError(c.t, err)
	cmd := exec.Command(path, args...)
	log, err := os.OpenFile(filepath.Join(c.dir, name+".log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	require.NoError(c.t, err)
	defer log.Close()
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr, cmd.Env = log, log, as, c.environment()
	require.NoError(c.t, cmd.Start())
	c.daemons[name] = cmd
}

// kill ends a daemon without a warning.
func (c *cluster) kill(name string) {
	cmd := c.daemons[name]
	delete(c.daemons, name)
	if cmd != nil {
		cmd.Process.Kill()
		cmd.Wait() // the error is the signal
	}
}

// environment is for programs that use the cluster.
func (c *cluster) environment() []string {
	return append(os.Environ(), "SLURM_CONF="+c.path, "PATH="+os.Getenv("PATH")+":/usr/sbin:/sbin")
}

// run makes a command that uses the cluster.
func (c *cluster) run(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env = c.environment()
	return cmd
}

// logs returns the ends of the daemons' logs.
func (c *cluster) logs() string {
	var all strings.Builder
	for _, name := range []string{"munged", "slurmctld", "n0", "n1"} {
		text, _ := os.ReadFile(filepath.Join(c.dir, name+".log")) // missing is empty
		fmt.Fprintf(&all, "%s:\n%s\n", name, text[max(0, len(text)-1500):])
	}
	return all.String()
}

// end cancels the queued jobs, so that none outlives the cluster, and ends the daemons.
func (c *cluster) end() {
	if c.daemons["slurmctld"] != nil {
		c.run("scancel", "--me").Run() // an empty queue is no error
		for range 100 {
			out, err := c.run("squeue", "--noheader").Output()
			if err == nil && len(bytes.TrimSpace(out)) == 0 {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
	if c.t.Failed() {
		c.t.Log(c.logs())
	}
	for _, name := range []string{"n0", "n1", "slurmctld", "munged"} {
		if cmd := c.daemons[name]; cmd != nil {
			cmd.Process.Signal(syscall.SIGTERM)
			done := make(chan struct{})
			go func() { cmd.Wait(); close(done) }()
			select {
			case <-done:
			case <-time.After(10 * time.Second):
				cmd.Process.Kill()
				<-done
			}
		}
	}
	os.RemoveAll(c.dir)
}
