#pragma once

#include "ui/plan/plan_findings.h"

#include <QWidget>

class QVBoxLayout;

namespace triaxis::ui
{

class Background;
class ClusterForm;
class FormRow;
class FormSection;
class PlanDocument;

/// Settings of the plan that are not drawn, in sections. Each change is a command of the document.
class PlanForm : public QWidget
{
    Q_OBJECT
public:
    PlanForm(PlanDocument& document, Background& background, QWidget* parent = nullptr);

    /// Every setting shows what is found about it.
    void addPlaces(FindingPlaces& places);
    ClusterForm& cluster() const { return *m_cluster; }
    /// What is wrong with the setting at `where` ("training.microbatch"); empty if nothing is, or
    /// there is no such field.
    QString problemOf(const QString& where) const;

signals:
    void mendRequested(const triaxis::ui::DrawnMend& mend);
    /// A file that was chosen could not be read.
    void failed(const QString& title, const QString& detail);

private:
    void add(FormSection* section);

    QVBoxLayout* m_layout;
    ClusterForm* m_cluster;
    QHash<QString, FormRow*> m_rows;
};

} // namespace triaxis::ui
